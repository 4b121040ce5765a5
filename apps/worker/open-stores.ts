/** Opens the worker's connections and waits until the stores are up: at most 60 s, because a stack starts all at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertRedisFits,
  type Config,
  createPool,
  type Log,
  openGateRedis,
  openRedis,
  type Pool,
  type Redis,
  RedisUnfit,
} from '@holdfast/core/platform';
import { connectKafka, createKafkaProbe, ensureTopics, type Stream, TopicMismatch } from '@holdfast/core/stream';

const START_LIMIT_MS = 60_000;
const TRY_AGAIN_MS = 500;
const GATEKEEPER_COMMAND_MS = 2000;

export interface WorkerStores {
  /** Consumers and relay. P12: ledger work waits up to 5 s for a lock. */
  readonly ledgerPool: Pool;
  /** Jobs and health. */
  readonly pool: Pool;
  readonly gatekeeperPool: Pool;
  readonly cleanUpPool: Pool;
  readonly gateRedis: Redis;
  readonly effectsRedis: Redis;
  readonly plainRedis: Redis;
  /** Only listens for wake-ups. */
  readonly wakeRedis: Redis;
  readonly stream: Stream;
  readonly kafkaProbe: { check(): Promise<void>; close(): Promise<void> };
  close(): Promise<void>;
}

export async function openStores({ stores, gate }: Config, log: Log): Promise<WorkerStores> {
  const url = stores.DATABASE_URL;
  const ledgerPool = createPool({
    url,
    name: 'holdfast-worker-ledger',
    max: stores.DATABASE_HOT_CONNECTIONS,
    lockTimeoutMs: 5000,
    statementTimeoutMs: 10_000,
  });
  const pool = createPool({ url, name: 'holdfast-worker', max: stores.DATABASE_READ_CONNECTIONS });
  const gatekeeperPool = createPool({ url, name: 'holdfast-worker-gatekeeper', max: 2 });
  const cleanUpPool = createPool({ url, name: 'holdfast-worker-clean-up', max: 1, statementTimeoutMs: 30_000 });
  const gateRedis = openGateRedis(stores.REDIS_URL, 'holdfast-worker-gate', gate.GATE_COMMAND_TIMEOUT_MS);
  const effectsRedis = openGateRedis(stores.REDIS_URL, 'holdfast-worker-gatekeeper', GATEKEEPER_COMMAND_MS);
  const plainRedis = openRedis(stores.REDIS_URL, 'holdfast-worker');
  const wakeRedis = openRedis(stores.REDIS_URL, 'holdfast-worker-wake');
  const stream = connectKafka(stores, log, 'holdfast-worker');
  const kafkaProbe = createKafkaProbe(stream);
  const deadline = performance.now() + START_LIMIT_MS;
  await retry(log, 'PostgreSQL', deadline, () => pool.query('SELECT epoch FROM tinystore_inventory.gate_epoch'));
  await retry(log, 'Redis', deadline, () => assertRedisFits(plainRedis));
  await retry(log, 'Kafka', deadline, () => ensureTopics(stream));
  return {
    ledgerPool,
    pool,
    gatekeeperPool,
    cleanUpPool,
    gateRedis,
    effectsRedis,
    plainRedis,
    wakeRedis,
    stream,
    kafkaProbe,
    async close() {
      for (const redis of [gateRedis, effectsRedis, plainRedis, wakeRedis]) redis.disconnect();
      await Promise.all([kafkaProbe.close(), ...[ledgerPool, pool, gatekeeperPool, cleanUpPool].map((p) => p.end())]);
    },
  };
}

/** Tries until the store answers. What no waiting will mend, a server that does not fit, is passed on at once. */
async function retry(log: Log, store: string, deadline: number, open: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const limit = Math.max(1, deadline - performance.now());
    try {
      await Promise.race([
        open(),
        sleep(limit, undefined, { ref: false }).then(() => {
          throw new Error(`no answer within ${START_LIMIT_MS} ms`);
        }),
      ]);
      return;
    } catch (error) {
      if (error instanceof RedisUnfit || error instanceof TopicMismatch || performance.now() > deadline) throw error;
      log.warn({ error: String(error) }, `${store} is not ready yet`);
      await sleep(TRY_AGAIN_MS);
    }
  }
}
