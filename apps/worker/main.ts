/**
 * The worker process: consumers, relay, gatekeeper and jobs. Wiring by hand. SIGTERM ends what is under way and exits
 * 0 within ten seconds; whatever a kill leaves behind is repeated by the next process and counts once.
 */
import { once } from 'node:events';
import { hostname } from 'node:os';
import { checkTransitions } from '@holdfast/core/domain';
import { createGate } from '@holdfast/core/gate';
import { createProvider } from '@holdfast/core/order';
import { createLog, createMetrics, createWaker, loadConfig, stopPoint } from '@holdfast/core/platform';
import { checkWorker } from './check-worker.ts';
import { createInternalServer } from './internal-server.ts';
import { schedule } from './jobs/job.ts';
import { JOBS } from './jobs/register.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { openStores } from './open-stores.ts';
import { letterDeps, startConsumers } from './start-consumers.ts';
import { startLoops } from './start-loops.ts';
import { stopOnSignal } from './stop-on-signal.ts';

async function main(): Promise<void> {
  checkTransitions();
  const config = loadConfig();
  const log = createLog('worker', config.process.LOG_LEVEL);
  const metrics = createMetrics('worker');
  const fail = (error: unknown, message: string) => {
    log.error({ error }, message);
    process.exit(1);
  };
  process.on('unhandledRejection', (error) => fail(error, 'a promise was rejected and nobody looked; the worker ends'));
  process.on('uncaughtException', (error) => fail(error, 'an error nobody caught; the worker ends'));

  const stores = await openStores(config, log);
  const { pool, cleanUpPool } = stores;
  const holder = `${hostname()}:${process.pid}`;
  const waker = createWaker(stores.plainRedis);
  const gate = createGate({ redis: stores.gateRedis, pool, log, metrics, waker });
  const stopAt = stopPoint(config.process.HOLDFAST_PROFILE, config.process.HOLDFAST_STOP_AT);
  const parts = { config, stores, log, metrics, stopAt };
  const letters = letterDeps(parts);
  const loops = await startLoops({ ...parts, holder });
  const consumers = await startConsumers({ ...parts, waker, fail }, letters);
  const { stream } = stores;
  const payment = createProvider(config, pool);
  const jobs = schedule(JOBS, {
    ...{ config, pool, cleanUpPool, gate, log, metrics, waker, letters, stream, ...payment },
    ...loops,
  });
  const queue = startJobs({ pool, log, metrics }, { jobs, redisUrl: config.stores.REDIS_URL, worker: holder });

  const internal = createInternalServer(checkWorker(stores, consumers, queue), metrics, log);
  internal.listen(config.process.INTERNAL_PORT, '127.0.0.1');
  await once(internal, 'listening');
  stopOnSignal(log, [
    () => [queue.stop(), ...consumers.map((consumer) => consumer.stop())],
    () => [loops.stop()],
    () => [stores.close()],
  ]);
  const names = consumers.map((consumer) => consumer.name);
  log.info({ holder, consumers: names, internalPort: config.process.INTERNAL_PORT }, 'worker is running');
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
