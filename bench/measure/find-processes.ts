/** Process ids of everything that works on an order, as far as they run on this machine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchEnvironment } from '../prepare/bench-environment.ts';
import { findProcess } from './cpu-seconds.ts';

export function findProcesses(env: BenchEnvironment): Record<string, number> {
  const { servers = {} } = JSON.parse(readFileSync(join(env.stackDir, 'services.json'), 'utf8')) as {
    servers?: Record<string, { pid: number }>;
  };
  const own = `DATABASE_URL=${env.databaseUrl}`;
  const found = {
    web: findProcess('apps/web/server.ts', own),
    worker: findProcess('apps/worker/main.ts', own),
    ...Object.fromEntries(Object.entries(servers).map(([name, { pid }]) => [name, pid])),
  };
  return Object.fromEntries(Object.entries(found).flatMap(([name, pid]) => (pid === undefined ? [] : [[name, pid]])));
}
