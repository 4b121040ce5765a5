import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process named so that a later one with the same pid is not mistaken for it: its pid and when it was born. */
export type ProcessMark = { pid: number; born: string };

/** The mark of a living process, undefined when there is none (a zombie counts as dead: nobody may reap it). */
export function markProcess(pid: number): ProcessMark | undefined {
  const born = process.platform === 'linux' ? bornOnLinux(pid) : bornElsewhere(pid);
  return born === undefined ? undefined : { pid, born };
}

export function isAlive(mark: ProcessMark): boolean {
  return markProcess(mark.pid)?.born === mark.born;
}

/** The command line of a living process, words joined by spaces; empty when there is none. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return ''; // no such process
  }
}

/** Field 22 of /proc/<pid>/stat; the name in field 2 may hold spaces and brackets, so it is cut off first. */
export function parseStat(stat: string): { state: string; born: string } | undefined {
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const born = rest[18];
  return state === undefined || born === undefined ? undefined : { state, born };
}

function bornOnLinux(pid: number): string | undefined {
  try {
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return stat === undefined || stat.state === 'Z' || stat.state === 'X' ? undefined : stat.born;
  } catch {
    return undefined; // no such process
  }
}

function bornElsewhere(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.split(/\s+/).slice(1).join(' ');
  } catch {
    return undefined; // no such process
  }
}
