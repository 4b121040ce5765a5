import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../apps/root.ts';
import { lastLines, runCommand } from '../process/run-command.ts';
import { ONE_FAILED, ONE_PASSED, type Tally } from './tally.ts';

const LIMIT_MS = 10 * 60_000;
const LINES_SHOWN = 80;

export type CheckContext = { env: NodeJS.ProcessEnv; signal: AbortSignal };

export function binary(name: string): string {
  return join(ROOT, 'node_modules', '.bin', name);
}

/** A check that counts as one test: silent when it passes, its last lines when it fails. */
export async function runCheck(name: string, argv: [string, ...string[]], context: CheckContext): Promise<Tally> {
  context.signal.throwIfAborted();
  const begun = Date.now();
  const [command, ...args] = argv;
  const result = await runCommand(command, args, { cwd: ROOT, ...context, timeoutMs: LIMIT_MS });
  context.signal.throwIfAborted();
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  console.log(`${result.code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (result.code === 0) return ONE_PASSED;
  console.log(lastLines(result.output, LINES_SHOWN));
  return ONE_FAILED;
}

/** A test runner that prints for itself; answers its exit code. */
export function runRunner(argv: [string, ...string[]], context: CheckContext): Promise<number> {
  context.signal.throwIfAborted();
  const [command, ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: context.env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    // The runner gets time to close its browser and its workers before it is killed for good.
    const stop = () => child.kill('SIGTERM');
    context.signal.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      context.signal.removeEventListener('abort', stop);
      if (context.signal.aborted) reject(context.signal.reason);
      else resolve(code ?? 1);
    });
  });
}
