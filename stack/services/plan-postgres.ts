import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../process/end-process.ts';
import { commandLine, markProcess } from '../process/mark.ts';
import { mustRun } from '../process/run-command.ts';
import { findPostgres, type PostgresHome } from './find-postgres.ts';
import type { LaunchPlan } from './services-file.ts';

const USER = 'holdfast';
const PASSWORD = 'holdfast';
const DATABASE = 'holdfast';
const INIT_LIMIT_MS = 60_000;
const STOP_GRACE_MS = 10_000;
const ENV = { LC_ALL: 'C', TZ: 'UTC', PATH: process.env.PATH ?? '' };

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // TCP only: a socket file would need a folder that every user may write to.
  unix_socket_directories: '',
  max_connections: '200',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  wal_buffers: '16MB',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  checkpoint_completion_target: '0.9',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export async function planPostgres(dir: string, port: number, say: (line: string) => void): Promise<LaunchPlan> {
  const home = await findPostgres(dir);
  const dataDir = join(home.base, 'postgres', 'data');
  mkdirSync(join(home.base, 'postgres'), { recursive: true });
  await clearLock(dataDir, say);
  await initialise(home, dataDir, say);
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    name: 'postgres',
    argv: [join(home.binDir, 'postgres'), '-D', dataDir, '-p', String(port), ...settings],
    env: ENV,
    cwd: join(home.base, 'postgres'),
    user: home.user,
    port,
    url: `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}`,
    dataDir,
    logFile: join(dir, 'postgres', 'server.log'),
    stopSignal: 'SIGINT', // "fast" shutdown: open connections are closed instead of waited for
  };
}

/**
 * The server refuses to start while postmaster.pid names any living process, even one that merely got the old number.
 * A real old server on this data is ended first.
 */
async function clearLock(dataDir: string, say: (line: string) => void): Promise<void> {
  const lock = join(dataDir, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  const mark = Number.isInteger(pid) && pid > 0 ? markProcess(pid) : undefined;
  if (mark !== undefined && commandLine(pid).includes(dataDir)) {
    say(`postgres: ending the server that an earlier run has left (process ${pid})`);
    await endProcess(mark, 'SIGINT', STOP_GRACE_MS);
  }
  rmSync(lock, { force: true });
}

/** The mark is written last, so a folder without it is the rest of an interrupted start and holds nothing of value. */
async function initialise(home: PostgresHome, dataDir: string, say: (line: string) => void): Promise<void> {
  const mark = join(dataDir, 'holdfast-initialised');
  if (existsSync(mark)) return;
  if (existsSync(dataDir)) say('postgres: removing a half-initialised data folder');
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { mode: 0o700 });
  if (home.user !== undefined) chownSync(dataDir, home.user.uid, home.user.gid);
  const run = { ...home.user, env: ENV, cwd: join(home.base, 'postgres'), timeoutMs: INIT_LIMIT_MS };
  const passwordFile = join(home.base, 'postgres', 'password');
  writeFileSync(passwordFile, `${PASSWORD}\n`);
  const flags = [
    '--auth=scram-sha-256',
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--no-sync',
  ];
  const locale = ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await mustRun(join(home.binDir, 'initdb'), ['-D', dataDir, ...flags, ...locale], run);
  await mustRun(join(home.binDir, 'postgres'), ['--single', '-D', dataDir, 'postgres'], {
    ...run,
    input: `CREATE DATABASE ${DATABASE};\n`,
  });
  writeFileSync(mark, '');
}
