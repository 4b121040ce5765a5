import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, type ProcessMark } from './mark.ts';

const POLL_MS = 25;
const HARD_KILL_WAIT_MS = 5_000;

/** Asks a process to end and kills it after the limit. A stopped (SIGSTOP) process is woken first to hear it. */
export async function endProcess(mark: ProcessMark, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  if (!send(mark, signal)) return;
  send(mark, 'SIGCONT');
  if (await goneWithin(mark, graceMs)) return;
  send(mark, 'SIGKILL');
  if (!(await goneWithin(mark, HARD_KILL_WAIT_MS)))
    throw new Error(`process ${mark.pid} does not end, not even by SIGKILL`);
}

/** True when the very process of the mark got the signal. */
export function send(mark: ProcessMark, signal: NodeJS.Signals): boolean {
  if (!isAlive(mark)) return false;
  try {
    process.kill(mark.pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export async function goneWithin(mark: ProcessMark, limitMs: number): Promise<boolean> {
  const end = Date.now() + limitMs;
  while (isAlive(mark)) {
    if (Date.now() > end) return false;
    await pause(POLL_MS);
  }
  return true;
}
