/** A test shop with the worker's own consumers on topics of its own, each part started and stopped by the test. */
import { mint } from '@holdfast/core/domain';
import { createLetterReports } from '@holdfast/core/ops';
import { cancelOrder, createDemoProvider, receiveNotice, startPayment, type TradeDeps } from '@holdfast/core/order';
import { createRelayLoop, type RelayLoop } from '@holdfast/core/outbox';
import { type Pool, silentLog, type WakeTopic } from '@holdfast/core/platform';
import {
  connectKafka,
  createProducer,
  ensureTopics,
  type LetterDeps,
  type Producer,
  type RunningConsumer,
  retryLetters,
  type Stream,
  startConsumer,
} from '@holdfast/core/stream';
import { openTestShop, PATIENT, TEST_SECRETS, until } from '@holdfast/core/testing';
import { CONSUMERS } from './consumers/register.ts';
import { signForTest } from './sign-for-test.testing.ts';

export interface PlacedOrder {
  readonly tradeId: string;
  readonly buyerId: string;
}
export type OrderChain = Awaited<ReturnType<typeof openOrderChain>>;

async function connectStream(name: string, brokers: string | undefined): Promise<Stream> {
  const prefix = `${name}-${mint<'prefix'>()}.`;
  const at = { KAFKA_BROKERS: brokers ?? '', KAFKA_PARTITIONS: 3, KAFKA_PREFIX: prefix };
  const stream = connectKafka(at, silentLog, 'test');
  await ensureTopics(stream);
  return stream;
}

async function payOrder(deps: TradeDeps, { tradeId, buyerId }: PlacedOrder): Promise<void> {
  const webhookSecret = TEST_SECRETS.PAYMENT_WEBHOOK_SECRET;
  const provider = createDemoProvider({ pool: deps.pool, publicUrl: 'http://localhost', webhookSecret });
  const started = await startPayment({ ...deps, provider }, { tradeId, buyerId });
  if (started.kind !== 'started') throw new Error(`payment refused: ${started.code}`);
  const notice = signForTest(started, webhookSecret);
  const receipt = await receiveNotice({ ...deps, provider, webhookSecrets: [webhookSecret] }, notice);
  if (receipt.kind !== 'stored') throw new Error(`notice not stored: ${receipt.kind}`);
}

interface MovingDeps {
  readonly pool: Pool;
  readonly letters: LetterDeps;
  readonly stream: Stream;
  readonly send: Producer;
  readonly wakeEffects: () => void;
}
/** The parts that a test starts and stops: relay and consumers. */
function movingParts({ pool, letters, stream, send, wakeEffects }: MovingDeps) {
  let relay: RelayLoop | undefined;
  let consumers: RunningConsumer[] = [];
  const wake = (topic: WakeTopic) => (topic === 'outbox' ? relay?.wake() : wakeEffects());
  return {
    wake,
    startRelay() {
      relay = createRelayLoop({
        pool,
        producer: send,
        log: silentLog,
        holder: 'chain',
        batchSize: 5000,
        pollMs: 50,
      });
      relay.start();
    },
    async stopRelay() {
      await relay?.stop();
      relay = undefined;
    },
    async startConsumers() {
      const onFatal = (error: Error) => {
        throw error;
      };
      consumers = await Promise.all(
        CONSUMERS.map((definition) => startConsumer({ ...letters, stream, wake, onFatal }, definition)),
      );
    },
    async stopConsumers() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      consumers = [];
    },
  };
}

/** @param around puts something between the relay and the broker */
export async function openOrderChain(
  name: string,
  brokers: string | undefined,
  around: (producer: Producer) => Producer = (producer) => producer,
) {
  const shop = await openTestShop(name, PATIENT);
  const { pool } = shop;
  const stream = await connectStream(name, brokers);
  const producer = createProducer(stream);
  const letters: LetterDeps = {
    pool,
    log: silentLog,
    letters: createLetterReports({ dltEnabled: true }),
    retry: { maxAttempts: 5, initialMs: 20, multiplier: 2, maxMs: 200 },
  };
  const wakeEffects = () => shop.gatekeeper.wake('effects');
  const moving = movingParts({ pool, letters, stream, send: around(producer), wakeEffects });
  const deps = { pool, log: silentLog, waker: { wake: moving.wake } };

  const chain = {
    shop,
    stream,
    producer,
    letters,
    ...moving,
    retry: () => retryLetters(letters, CONSUMERS),
    count: async (what: string) =>
      (await pool.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${what}`)).rows[0]?.n ?? -1,
    async place(quantity = 1, skuId = 'K1'): Promise<PlacedOrder> {
      const buyerId = mint<'BuyerId'>();
      const result = await shop.order([{ skuId, quantity }], { buyerId });
      if (result.kind !== 'placed') throw new Error(`not placed: ${JSON.stringify(result)}`);
      return { tradeId: result.tradeId, buyerId };
    },
    cancel: ({ tradeId, buyerId }: PlacedOrder) => cancelOrder(deps, { tradeId, by: { kind: 'buyer', buyerId } }),
    pay: (order: PlacedOrder) => payOrder(deps, order),
    /** Until nothing is under way and every failing message is decided. */
    async settled() {
      await until(
        'the chain is at rest',
        async () => {
          await chain.retry();
          return (await chain.count(UNDER_WAY)) === 0;
        },
        40_000,
      );
    },
    async close(options: { readonly mayBreak?: boolean } = {}) {
      await chain.stopRelay();
      await chain.stopConsumers();
      await producer.close();
      await shop.close(options);
    },
  };
  return chain;
}

const UNDER_WAY = `(
  SELECT id::text FROM tinystore_order.outbox_pending WHERE status = 'PENDING'
  UNION ALL SELECT id::text FROM tinystore_order.shop_order WHERE status IN ('RESERVING', 'CONFIRMING', 'RELEASING')
  UNION ALL SELECT id::text FROM tinystore_inventory.dead_letter WHERE status IN ('RETRYING', 'PARKED')
  UNION ALL SELECT id::text FROM tinystore_inventory.gate_effect WHERE status = 'PENDING'
  UNION ALL SELECT id::text FROM tinystore_order.trade WHERE status = 'PAID_PENDING') u`;
