import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { notePid } from '../process/claim-folder.ts';
import { endProcess } from '../process/end-process.ts';
import { isAlive, markProcess } from '../process/mark.ts';
import { lastLines } from '../process/run-command.ts';
import { answers } from './probe.ts';
import type { LaunchPlan, ServerRecord } from './services-file.ts';

const READY_LIMIT_MS = 60_000;
const POLL_MS = 50;
const LOG_LINES_SHOWN = 25;
const STOP_GRACE_MS = 15_000;

/**
 * Starts a server and waits until it takes work. It gets a process group of its own, so that the terminal's Ctrl-C
 * reaches only the launcher, which first stops the programs that use the server; and it writes straight to its log file,
 * so that it outlives a launcher that was killed, without a broken pipe.
 */
export async function launchServer(dir: string, plan: LaunchPlan): Promise<ServerRecord> {
  mkdirSync(dirname(plan.logFile), { recursive: true });
  const log = openSync(plan.logFile, 'a');
  const [command, ...args] = plan.argv;
  const child = spawn(command, args, {
    cwd: plan.cwd,
    env: plan.env,
    ...plan.user,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let spawnError = '';
  child.once('error', (error) => {
    spawnError = error.message;
  });
  child.unref();
  const mark = child.pid === undefined ? undefined : markProcess(child.pid);
  if (mark !== undefined) notePid(dir, plan.name, mark);
  const end = Date.now() + READY_LIMIT_MS;
  while (mark !== undefined && isAlive(mark) && Date.now() < end) {
    if (await answers(plan.name, plan.port)) return { ...plan, mark, pid: mark.pid };
    await pause(POLL_MS);
  }
  if (mark !== undefined) await endProcess(mark, 'SIGKILL', 0);
  const reason = spawnError === '' ? 'its last log lines' : spawnError;
  throw new Error(
    `${plan.name} did not start on port ${plan.port}; ${reason} (${plan.logFile}):\n${tail(plan.logFile)}`,
  );
}

export async function stopServer(record: ServerRecord): Promise<void> {
  await endProcess(record.mark, record.stopSignal, STOP_GRACE_MS);
}

function tail(file: string): string {
  return lastLines(readFileSync(file, 'utf8'), LOG_LINES_SHOWN);
}
