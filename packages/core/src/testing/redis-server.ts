/**
 * A redis-server of a test's own: it may be killed, frozen, emptied or restarted with its old file without touching
 * anybody else's. Settings are those the gate demands (P41).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

export interface TestRedis {
  readonly url: string;
  /** SIGKILL; returns when the process is gone. */
  kill(): Promise<void>;
  /** Keeps a copy of the append-only file as it is now, for `start('old')`. */
  remember(): void;
  /**
   * Starts again on the same port: with the append-only file it left, with the first half of it, with the one
   * remembered, with its last dump (SAVE) instead of a file, or with nothing.
   */
  start(data: RedisData): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

export type RedisData = 'kept' | 'half' | 'old' | 'dump' | 'empty';

export async function startTestRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-redis-'));
  const [file, remembered] = [join(folder, 'appendonlydir'), join(folder, 'remembered')];
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  // A test that fails before its clean-up must not leave a server behind.
  const endWithTest = () => {
    child?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', endWithTest);

  const launch = async (appendonly: 'yes' | 'no' = 'yes') => {
    child = spawn('redis-server', serverArguments(port, folder, appendonly), { stdio: 'ignore' });
    await answering(url);
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await launch();
  return {
    url,
    kill,
    remember() {
      rmSync(remembered, { recursive: true, force: true });
      cpSync(file, remembered, { recursive: true });
    },
    async start(data) {
      if (data === 'half') halve(file);
      else if (data !== 'kept') rmSync(file, { recursive: true, force: true });
      if (data === 'old') cpSync(remembered, file, { recursive: true });
      await launch(data === 'dump' ? 'no' : 'yes');
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async stop() {
      process.off('exit', endWithTest);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Cuts off the second half, as a disk that was full or torn away leaves it. */
function halve(file: string): void {
  for (const part of globSync(join(file, '*.incr.aof'))) truncateSync(part, Math.floor(statSync(part).size / 2));
}

/** Settings the gate demands (P41), and a file that a killed server can be started again with. */
function serverArguments(port: number, folder: string, appendonly: 'yes' | 'no'): string[] {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    appendonly,
    appendfsync: 'everysec',
    'maxmemory-policy': 'noeviction',
    'repl-backlog-ttl': 0,
    loglevel: 'warning',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

async function answering(url: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: 200 });
  redis.on('error', () => undefined);
  try {
    for (let tries = 0; tries < 200; tries++) {
      // LOADING: the server is up but still reads its file.
      const pong = await redis.ping().catch(() => undefined);
      if (pong === 'PONG') return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`redis-server at ${url} does not answer`);
  } finally {
    redis.disconnect();
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
