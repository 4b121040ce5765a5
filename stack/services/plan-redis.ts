import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../process/install-package.ts';
import { findOnPath, mustRun } from '../process/run-command.ts';
import type { LaunchPlan } from './services-file.ts';

const OLDEST_MAJOR = 7;

export async function planRedis(dir: string, port: number, say: (line: string) => void): Promise<LaunchPlan> {
  const binary = await findRedis(say);
  const home = join(dir, 'redis');
  const dataDir = join(home, 'data');
  mkdirSync(dataDir, { recursive: true });
  return {
    name: 'redis',
    argv: [binary, ...options(port, dataDir)],
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
    cwd: dataDir,
    user: undefined,
    port,
    url: `redis://127.0.0.1:${port}`,
    dataDir,
    logFile: join(home, 'server.log'),
    stopSignal: 'SIGTERM',
  };
}

/** The gate needs no persistence; queues do. Evicting a counter or a job silently would be worse than refusing a write. */
function options(port: number, dataDir: string): string[] {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: dataDir,
    daemonize: 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
    'repl-backlog-ttl': '0',
    // A crash can cut the last record of the file in two; the server then drops that record instead of refusing to start.
    'aof-load-truncated': 'yes',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

async function findRedis(say: (line: string) => void): Promise<string> {
  let binary = findOnPath('redis-server');
  if (binary === undefined) {
    await installPackages(['redis-server'], say);
    binary = findOnPath('redis-server');
  }
  if (binary === undefined) throw new Error('redis-server is still not on the path after its installation');
  const version = await mustRun(binary, ['--version'], { timeoutMs: 10_000 });
  const major = Number(/v=(\d+)\./.exec(version)?.[1] ?? 0);
  if (major < OLDEST_MAJOR)
    throw new Error(`redis-server ${OLDEST_MAJOR} or newer is needed, ${binary} is ${version.trim()}`);
  return binary;
}
