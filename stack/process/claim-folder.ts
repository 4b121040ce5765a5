import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from './end-process.ts';
import { isAlive, markProcess, type ProcessMark } from './mark.ts';

// A folder belongs to one run at a time. Its `pids/` names every process the run has started, so that the next run
// finds what a killed one has left behind. Left-overs are stopped, not adopted: they may run with other options, other
// ports or older code than this run would give them, and a fresh start costs only seconds.

const GRACE_MS = 10_000;

/** Takes the folder for this process; refuses while another living run has it. Returns the names of ended left-overs. */
export async function claimFolder(dir: string): Promise<string[]> {
  mkdirSync(join(dir, 'pids'), { recursive: true });
  const owner = readMark(join(dir, 'owner.json'));
  if (owner !== undefined && owner.pid !== process.pid && isAlive(owner)) {
    throw new Error(`another run (process ${owner.pid}) is using ${dir}; stop it first`);
  }
  const self = markProcess(process.pid);
  if (self !== undefined) writeJson(join(dir, 'owner.json'), self);
  return endLeftOvers(dir);
}

/** True while the run that took the folder lives. */
export function isInUse(dir: string): boolean {
  const owner = readMark(join(dir, 'owner.json'));
  return owner !== undefined && isAlive(owner);
}

export function releaseFolder(dir: string): void {
  rmSync(join(dir, 'owner.json'), { force: true });
}

export function notePid(dir: string, name: string, mark: ProcessMark): void {
  mkdirSync(join(dir, 'pids'), { recursive: true });
  writeJson(join(dir, 'pids', `${name}.json`), mark);
}

export function forgetPid(dir: string, name: string): void {
  rmSync(join(dir, 'pids', `${name}.json`), { force: true });
}

/** Written beside and renamed, so that a reader or a crash never meets half a file. */
export function writeJson(file: string, value: unknown): void {
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

async function endLeftOvers(dir: string): Promise<string[]> {
  const files = readdirSync(join(dir, 'pids')).filter((file) => file.endsWith('.json'));
  const ended = await Promise.all(
    files.map(async (file) => {
      const mark = readMark(join(dir, 'pids', file));
      const alive = mark !== undefined && isAlive(mark);
      // SIGINT is the one signal that every server and process of ours takes as "end now, but cleanly".
      if (alive) await endProcess(mark, 'SIGINT', GRACE_MS);
      rmSync(join(dir, 'pids', file), { force: true });
      return alive ? [`${file.replace(/\.json$/, '')} (${mark.pid})`] : [];
    }),
  );
  return ended.flat();
}

function readMark(file: string): ProcessMark | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { pid, born } = value as Partial<ProcessMark>;
    return typeof pid === 'number' && typeof born === 'string' ? { pid, born } : undefined;
  } catch {
    return undefined; // missing or half written: nothing to go by
  }
}
