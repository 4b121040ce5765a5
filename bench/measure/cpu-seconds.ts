/** Processor time of a process and all its children so far, in seconds, from /proc; 0 where there is no /proc. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_A_SECOND = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly seconds: number;
}

function readStats(): Stat[] {
  let entries: string[] = [];
  try {
    entries = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error;
  }
  return entries.flatMap((name) => {
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'latin1');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14]);
      return [{ pid: Number(name), parent: Number(fields[1]), seconds: ticks / TICKS_A_SECOND }];
    } catch {
      return []; // it ended between the listing and the look
    }
  });
}

export function cpuSeconds(root: number): number {
  const stats = readStats();
  const own = new Set([root]);
  for (let size = 0; size !== own.size; ) {
    size = own.size;
    for (const { pid, parent } of stats) if (own.has(parent)) own.add(pid);
  }
  return stats.filter(({ pid }) => own.has(pid)).reduce((sum, { seconds }) => sum + seconds, 0);
}

/** The process whose command line holds `text` and whose environment holds `variable`. */
export function findProcess(text: string, variable: string): number | undefined {
  for (const { pid } of readStats())
    try {
      if (
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text) &&
        readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable)
      )
        return pid;
    } catch {
      // It ended between the listing and the look, or belongs to somebody else.
    }
  return undefined;
}
