import { type ChildProcess, spawn } from 'node:child_process';
import { forgetPid, notePid } from '../process/claim-folder.ts';
import { endProcess } from '../process/end-process.ts';
import { markProcess, type ProcessMark } from '../process/mark.ts';
import { nextBackOffMs } from './back-off.ts';
import { createPrinter, printLines } from './print-log.ts';

const STOP_GRACE_MS = 10_000;

export type Program = { name: string; argv: [string, ...string[]]; env: NodeJS.ProcessEnv; cwd: string };
export type Supervisor = { stop: () => Promise<void>; pidOf: (name: string) => number | undefined };

/** Keeps programs running: prefixed output, a dead one is started again after a back-off, all end in order on stop. */
export function supervise(programs: Program[], dir: string): Supervisor {
  const watched = programs.map((program, index) => keepRunning(program, dir, createPrinter(program.name, index)));
  return {
    stop: async () => {
      for (const one of watched) await one.stop();
    },
    pidOf: (name) => watched.find((one) => one.name === name)?.pid(),
  };
}

function keepRunning(program: Program, dir: string, print: (line: string) => void) {
  let stopping = false;
  let mark: ProcessMark | undefined;
  let backOffMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const start = () => {
    const startedAt = Date.now();
    const child = launch(program, print);
    mark = child.pid === undefined ? undefined : markProcess(child.pid);
    if (mark !== undefined) notePid(dir, program.name, mark);
    const onEnd = (how: string) => {
      if (stopping) return;
      backOffMs = nextBackOffMs(backOffMs, Date.now() - startedAt);
      print(`${how}; starting again in ${backOffMs} ms`);
      timer = setTimeout(start, backOffMs);
    };
    child.once('error', (error) => onEnd(error.message));
    child.once('exit', (code, signal) => onEnd(signal === null ? `ended with code ${code}` : `ended by ${signal}`));
  };

  const stop = async () => {
    stopping = true;
    clearTimeout(timer);
    if (mark !== undefined) await endProcess(mark, 'SIGTERM', STOP_GRACE_MS);
    forgetPid(dir, program.name);
    print('stopped');
  };

  start();
  return { name: program.name, stop, pid: () => mark?.pid };
}

/** In a group of its own, so that Ctrl-C does not reach it: it is told to drain by SIGTERM while its services still run. */
function launch(program: Program, print: (line: string) => void): ChildProcess {
  const [command, ...args] = program.argv;
  const child = spawn(command, args, {
    cwd: program.cwd,
    env: program.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  printLines(child.stdout, print);
  printLines(child.stderr, print);
  return child;
}
