/** The servers of one run and what kills, freezes and revives them; PostgreSQL with all of its processes. */
import { readFileSync } from 'node:fs';
import { isAlive } from '../../../../../stack/process/mark.ts';
import { continueServer, killServer, pauseServer, startServer } from '../../../../../stack/services/control-server.ts';
import { readServices } from '../../../../../stack/services/services-file.ts';
import type { TestRedis } from '../redis-server.ts';
import { until } from '../until.ts';

export type ServerName = 'postgres' | 'redis' | 'kafka';

export interface Servers {
  /** SIGKILL to the server and everything that belongs to it. */
  kill(name: ServerName): Promise<void>;
  /** With the data it left. */
  start(name: ServerName): Promise<void>;
  pause(name: ServerName): Promise<void>;
  resume(name: ServerName): Promise<void>;
  /** After a cell that failed half-way: all of them run. */
  reviveAll(): Promise<void>;
}

const START_LIMIT_MS = 60_000;

/** @param dir of the stack that owns PostgreSQL and Kafka; Redis is the run's own */
export function controlServers(dir: string, redis: TestRedis): Servers {
  // The killed one may not be gone for good yet; whoever supervises a server tries again.
  const start = (name: ServerName) =>
    name === 'redis'
      ? redis.start('kept')
      : until(`${name} starts`, () => startServer(dir, name, 'kept').then(...DONE_OR_NOT), START_LIMIT_MS);
  const backends = () => childrenOf(readServices(dir).servers.postgres?.pid);
  return {
    async kill(name) {
      if (name === 'redis') return redis.kill();
      const left = name === 'postgres' ? backends() : [];
      await killServer(dir, name);
      signal(left, 'SIGKILL');
    },
    start: async (name) => void (await start(name)),
    async pause(name) {
      if (name === 'redis') return redis.pause();
      await pauseServer(dir, name);
      if (name === 'postgres') signal(backends(), 'SIGSTOP');
    },
    async resume(name) {
      if (name === 'redis') return redis.resume();
      if (name === 'postgres') signal(backends(), 'SIGCONT');
      await continueServer(dir, name);
    },
    async reviveAll() {
      redis.resume();
      for (const name of ['postgres', 'kafka'] as const) {
        const record = readServices(dir).servers[name];
        if (record && !isAlive(record.mark)) await start(name);
        else if (record) await continueServer(dir, name);
      }
      signal(backends(), 'SIGCONT');
    },
  };
}

const DONE_OR_NOT = [() => true, () => false] as const;

function childrenOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch (error) {
      // Ended by itself meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
}
