/**
 * The worker process: consumers, relay, gatekeeper and jobs. Wiring by hand. SIGTERM ends what is under way and exits
 * 0 within ten seconds; whatever a kill leaves behind is repeated by the next process and counts once.
 */
import { once } from 'node:events';
import { hostname } from 'node:os';
import { checkTransitions } from '@holdfast/core/domain';
import { createGate, createGatekeeper } from '@holdfast/core/gate';
import { createRelayLoop } from '@holdfast/core/outbox';
import { createLog, createMetrics, createWaker, loadConfig, onWake, openInstallRedis } from '@holdfast/core/platform';
import { createProducer } from '@holdfast/core/stream';
import { checkWorker } from './check-worker.ts';
import { createInternalServer } from './internal-server.ts';
import { schedule } from './jobs/job.ts';
import { JOBS } from './jobs/register.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { openStores } from './open-stores.ts';
import { startConsumers } from './start-consumers.ts';
import { stopOnSignal } from './stop-on-signal.ts';

async function main(): Promise<void> {
  checkTransitions();
  const config = loadConfig();
  const log = createLog('worker', config.process.LOG_LEVEL);
  const metrics = createMetrics('worker');
  const fail = (error: unknown, message: string) => {
    log.error({ err: error }, message);
    process.exit(1);
  };
  process.on('unhandledRejection', (error) => fail(error, 'a promise was rejected and nobody looked; the worker ends'));
  process.on('uncaughtException', (error) => fail(error, 'an error nobody caught; the worker ends'));

  const stores = await openStores(config, log);
  const holder = `${hostname()}:${process.pid}`;
  const waker = createWaker(stores.plainRedis);
  const gate = createGate({ redis: stores.gateRedis, pool: stores.pool, log, metrics, waker });
  const gatekeeper = createGatekeeper({
    pool: stores.gatekeeperPool,
    databaseUrl: config.stores.DATABASE_URL,
    redis: stores.effectsRedis,
    holder,
    metrics,
    log,
    openInstallRedis: () => openInstallRedis(config.stores.REDIS_URL),
  });
  const producer = createProducer(stores.stream);
  const relay = createRelayLoop({
    pool: stores.ledgerPool,
    producer,
    log,
    metrics,
    holder,
    batchSize: config.order.ORDER_OUTBOX_BATCH_SIZE,
    pollMs: config.order.ORDER_OUTBOX_POLL_INTERVAL,
  });
  await onWake(stores.wakeRedis, (topic) => (topic === 'outbox' ? relay.wake() : gatekeeper.wake()));
  gatekeeper.start();
  relay.start();
  const consumers = await startConsumers({ config, stores, log, metrics, waker, fail });
  const jobDeps = {
    config,
    pool: stores.pool,
    cleanUpPool: stores.cleanUpPool,
    gate,
    log,
    metrics,
    waker,
    wakeRelay: () => relay.wake(),
    wakeGatekeeper: () => gatekeeper.wake(),
  };
  const jobs = startJobs(jobDeps, { jobs: schedule(JOBS, config), redisUrl: config.stores.REDIS_URL, worker: holder });

  const internal = createInternalServer(checkWorker(stores, consumers, jobs), metrics, log);
  internal.listen(config.process.INTERNAL_PORT, '127.0.0.1');
  await once(internal, 'listening');
  stopOnSignal(log, [
    () => [jobs.stop(), ...consumers.map((consumer) => consumer.stop())],
    () => [relay.stop(), gatekeeper.stop()],
    () => [producer.close()],
    () => [stores.close()],
  ]);
  log.info(
    { holder, consumers: consumers.map((c) => c.name), internalPort: config.process.INTERNAL_PORT },
    'worker is running',
  );
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
