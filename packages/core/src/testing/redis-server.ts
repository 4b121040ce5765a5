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
  /** Starts again on the same port, with what `data` says. */
  start(data: RedisData): Promise<void>;
  /** Remembers the data as it is now, for a start with old data. */
  keepCopy(): Promise<void>;
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/**
 * kept: the append-only file it left; empty: nothing; half: the first half of that file; old file and old dump: the
 * copy that `keepCopy` made.
 */
export type RedisData = 'kept' | 'empty' | 'half' | 'old file' | 'old dump';

const FILES = 'appendonlydir';
const COPY = 'copy';

export async function startTestRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-redis-'));
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
    async start(data) {
      layOut(folder, data);
      await launch(data === 'old dump' ? 'no' : 'yes');
    },
    async keepCopy() {
      const redis = new Redis(url);
      await redis.save();
      redis.disconnect();
      cpSync(join(folder, FILES), join(folder, COPY), { recursive: true });
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

/** Puts the files in place that the server is to find. */
function layOut(folder: string, data: RedisData): void {
  const files = join(folder, FILES);
  if (data === 'empty' || data === 'old file' || data === 'old dump') rmSync(files, { recursive: true, force: true });
  if (data === 'old file') cpSync(join(folder, COPY), files, { recursive: true });
  if (data !== 'half') return;
  for (const file of globSync(join(files, '*.incr.aof'))) truncateSync(file, Math.floor(statSync(file).size / 2));
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
