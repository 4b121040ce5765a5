/** The servers of one run and what kills, freezes and revives them; PostgreSQL with all of its processes. */
import { readFileSync } from 'node:fs';
import { continueServer, killServer, pauseServer, startServer } from '../../../../../stack/services/control-server.ts';
import { readServices } from '../../../../../stack/services/services-file.ts';
import type { TestRedis } from '../redis-server.ts';

export type ServerName = 'postgres' | 'redis' | 'kafka';

export interface Servers {
  /** SIGKILL to the server and everything that belongs to it. */
  kill(name: ServerName): Promise<void>;
  /** With the data it left. */
  start(name: ServerName): Promise<void>;
  pause(name: ServerName): Promise<void>;
  resume(name: ServerName): Promise<void>;
}

/** @param dir of the stack that owns PostgreSQL and Kafka; Redis is the run's own */
export function controlServers(dir: string, redis: TestRedis): Servers {
  const backends = () => childrenOf(readServices(dir).servers.postgres?.pid);
  return {
    async kill(name) {
      if (name === 'redis') return redis.kill();
      const left = name === 'postgres' ? backends() : [];
      await killServer(dir, name);
      signal(left, 'SIGKILL');
    },
    start: (name) => (name === 'redis' ? redis.start('kept') : startServer(dir, name, 'kept')),
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
  };
}

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
