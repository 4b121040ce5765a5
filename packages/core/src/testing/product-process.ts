/** Starts a process of the product for a test, as its supervisor would: same program, same environment variables. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './redis-server.ts';
import { TEST_SECRETS } from './test-config.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const READY_LIMIT_MS = 60_000;

export interface ProductProcess {
  readonly internalUrl: string;
  /** SIGTERM, SIGKILL, SIGSTOP or SIGCONT. */
  send(signal: NodeJS.Signals): void;
  /** Sends the signal and waits for the end: exit code, or the signal that ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | NodeJS.Signals>;
  /** Exit code, or the signal that ended it; null while it runs. */
  ended(): number | NodeJS.Signals | null;
  /** What it said last, for whoever wants to know why it ended. */
  lastLines(): string;
}

/**
 * The web process may be started with `--api`: without pages, so that nothing needs to be built.
 * @returns when /readyz answers 200. @throws with the process's last lines when it ends or is not ready in time
 */
export async function startProcess(
  app: 'web' | 'worker',
  env: Record<string, string>,
  args: readonly string[] = [],
): Promise<ProductProcess> {
  const port = await freePort();
  const program = join(ROOT, 'apps', app, app === 'web' ? 'server.ts' : 'main.ts');
  const child = spawn(process.execPath, [program, ...args], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      // A planted fault is in this process too.
      ...(process.env.HOLDFAST_PLANT && {
        HOLDFAST_PLANT: process.env.HOLDFAST_PLANT,
        NODE_OPTIONS: process.env.NODE_OPTIONS,
      }),
      NODE_ENV: 'production',
      HOLDFAST_PROFILE: 'test',
      ...TEST_SECRETS,
      INTERNAL_PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A test that is ended must not leave a process behind.
  const endWithTest = () => void child.kill('SIGKILL');
  process.once('exit', endWithTest);
  child.once('exit', () => process.off('exit', endWithTest));
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n').slice(-40)));
  const internalUrl = `http://127.0.0.1:${port}`;
  await ready(child, internalUrl, lines);
  return {
    internalUrl,
    send: (signal) => void child.kill(signal),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode ?? signal;
      const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      child.kill(signal);
      const [code, by] = await gone;
      return code ?? by ?? signal;
    },
    ended: () => child.exitCode ?? child.signalCode,
    lastLines: () => lines.slice(-40).join('\n'),
  };
}

async function ready(child: ChildProcess, url: string, lines: readonly string[]): Promise<void> {
  const deadline = performance.now() + READY_LIMIT_MS;
  while (performance.now() < deadline && child.exitCode === null && child.signalCode === null) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  child.kill('SIGKILL');
  throw new Error(`not ready:\n${lines.slice(-40).join('\n')}`);
}
