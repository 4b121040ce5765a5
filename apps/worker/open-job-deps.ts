/** What jobs need, for a run by hand: the worker's stores, and its loops only for the jobs that are their work. */
import { createGate } from '@holdfast/core/gate';
import { createProvider } from '@holdfast/core/order';
import { type Config, createMetrics, createWaker, type Log } from '@holdfast/core/platform';
import type { JobDeps } from './jobs/job.ts';
import { openStores } from './open-stores.ts';
import { letterDeps } from './start-consumers.ts';
import { type RunningLoops, startLoops } from './start-loops.ts';

export interface HandDeps {
  readonly deps: JobDeps;
  close(): Promise<void>;
}

/** @param loops `start`: work as a loop does while its lease is free; `wake`: only tell the worker that holds it */
export async function openJobDeps(
  config: Config,
  log: Log,
  { holder, loops }: { readonly holder: string; readonly loops: 'start' | 'wake' },
): Promise<HandDeps> {
  const metrics = createMetrics('job');
  const stores = await openStores(config, log);
  const { pool, cleanUpPool, stream } = stores;
  const waker = createWaker(stores.plainRedis);
  const running: RunningLoops | undefined =
    loops === 'start' ? await startLoops({ config, stores, log, metrics, holder }) : undefined;
  const deps: JobDeps = {
    ...{ config, pool, cleanUpPool, log, metrics, waker, stream },
    gate: createGate({ redis: stores.gateRedis, pool, log, metrics, waker }),
    letters: letterDeps({ config, stores, log, metrics }),
    ...createProvider(config, pool),
    wakeRelay: () => (running ? running.wakeRelay() : waker.wake('outbox')),
    wakeGatekeeper: () => (running ? running.wakeGatekeeper() : waker.wake('gate')),
  };
  return {
    deps,
    async close() {
      await running?.stop();
      await stores.close();
    },
  };
}
