import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type EventType, INVENTORY_TOPIC, ORDER_TOPIC } from '@holdfast/core/domain';
import { createLetterReports } from '@holdfast/core/ops';
import { cancelOrder, createDemoProvider, receiveNotice, startPayment } from '@holdfast/core/order';
import { createRelayLoop, type RelayLoop } from '@holdfast/core/outbox';
import { silentLog, type WakeTopic } from '@holdfast/core/platform';
import {
  type ConsumerDefinition,
  connectKafka,
  createProducer,
  ensureTopics,
  type Producer,
  type RunningConsumer,
  type Stream,
  startConsumer,
} from '@holdfast/core/stream';
import { checkInvariants, openTestShop, type TestShop, until, waitUntilQuiet } from '@holdfast/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { CONSUMERS } from './register.ts';

let shop: TestShop;
let stream: Stream;
let producer: Producer;
let relay: RelayLoop;
let consumers: RunningConsumer[] = [];
/** Set by a test that runs some of the consumers only, so that events are sent which nobody applies. */
let mayBreak: boolean;

beforeAll(async () => {
  stream = connectKafka(
    { KAFKA_BROKERS: process.env.KAFKA_BROKERS ?? '', KAFKA_PARTITIONS: 6, KAFKA_PREFIX: '' },
    silentLog,
    'test',
  );
  await ensureTopics(stream);
  producer = createProducer(stream);
});
afterAll(() => producer.close());
beforeEach(async () => {
  mayBreak = false;
  shop = await openTestShop('consumers');
  relay = createRelayLoop({ pool: shop.pool, producer, log: silentLog, holder: 'test', batchSize: 5000, pollMs: 50 });
});
afterEach(async () => {
  await relay.stop();
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  consumers = [];
  await shop.close({ mayBreak });
});

const wake = (topic: WakeTopic) => {
  if (topic === 'outbox') relay.wake();
  else shop.gatekeeper.wake('effects');
};

/** In a group of its own, which begins behind what other tests have left in the topics. */
async function start(definition: ConsumerDefinition): Promise<RunningConsumer> {
  const group = `${definition.name}.${randomUUID()}`;
  const admin = stream.kafka.admin();
  await admin.connect();
  for (const topic of [ORDER_TOPIC, INVENTORY_TOPIC]) {
    const partitions = (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => ({
      partition,
      offset: high,
    }));
    await admin.setOffsets({ groupId: group, topic, partitions });
  }
  await admin.disconnect();
  const consumer = await startConsumer(
    {
      stream,
      pool: shop.pool,
      log: silentLog,
      letters: createLetterReports({ dltEnabled: true }),
      wake,
      onFatal: (error) => {
        throw error;
      },
      retry: { maxAttempts: 5, initialMs: 20, multiplier: 2, maxMs: 500 },
    },
    { ...definition, group },
  );
  consumers.push(consumer);
  return consumer;
}
const startAll = () => Promise.all(CONSUMERS.map(start));
const ledger = CONSUMERS.filter((definition) => definition.name === 'ledger');

const count = async (what: string) =>
  (await shop.pool.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${what}`)).rows[0]?.n;
const allSent = () =>
  until(
    'the outbox is empty',
    async () => (await count(`tinystore_order.outbox_pending WHERE status = 'PENDING'`)) === 0,
  );
async function placed(quantity = 1): Promise<{ tradeId: string; buyerId: string }> {
  const buyerId = randomUUID();
  const result = await shop.order([{ skuId: 'K1', quantity }], { buyerId });
  if (result.kind !== 'placed') throw new Error(`not placed: ${JSON.stringify(result)}`);
  return { tradeId: result.tradeId, buyerId };
}

test('C14 – Two consumers that handle every event at once leave one effect each and no dead letter', async () => {
  mayBreak = true;
  await shop.stock('K1', 200);
  await Promise.all([...ledger, ...ledger].map(start));
  await Promise.all(Array.from({ length: 200 }, () => placed()));
  relay.start();
  await until('200 reservations', async () => (await count('tinystore_inventory.inventory_reservation')) === 200);
  await until('both have read to the end', () =>
    consumers.every((c) => c.health().lastHandledAt && c.health().lag === 0),
  );
  await allSent();
  const { rows } = await shop.pool.query(`SELECT reserved_quantity FROM tinystore_inventory.inventory_stock`);
  expect(rows).toEqual([{ reserved_quantity: 200 }]);
  expect(await count('tinystore_inventory.inbox_event')).toBe(200);
  expect(await count('tinystore_inventory.dead_letter')).toBe(0);
  expect(await count(`tinystore_order.outbox_event WHERE type = 'INVENTORY_RESERVED'`)).toBe(200);
});

test('C41 – A reserve for an order that does not exist is kept as a dead letter; the others of its batch are recorded', async () => {
  mayBreak = true;
  await shop.stock('K1', 10);
  for (let n = 0; n < 5; n++) await placed();
  const foreign = randomUUID();
  const line = { reservationId: randomUUID(), shopId: 'S1', skuId: 'K1', quantity: 1 };
  const type: EventType = 'INVENTORY_RESERVE_DB';
  await shop.pool.query(
    `WITH e AS (INSERT INTO tinystore_order.outbox_event (event_id, type, topic, key, trace_id, payload)
                VALUES ($1, $2, $3, $4, 'test', $5) RETURNING id)
     INSERT INTO tinystore_order.outbox_pending (id) SELECT id FROM e`,
    [
      randomUUID(),
      type,
      ORDER_TOPIC,
      foreign,
      JSON.stringify({ tradeId: foreign, shopOrderId: foreign, lines: [line], payUntil: new Date().toISOString() }),
    ],
  );
  await Promise.all(ledger.map(start));
  relay.start();
  await until('five reservations', async () => (await count('tinystore_inventory.inventory_reservation')) === 5);
  await until('the dead letter', async () => (await count('tinystore_inventory.dead_letter')) === 1);
  const { rows } = await shop.pool.query('SELECT type, key, reason, status FROM tinystore_inventory.dead_letter');
  expect(rows).toEqual([
    { type, key: foreign, status: 'DEAD', reason: `UnknownOrder: shop order ${foreign} does not exist` },
  ]);
  expect(await count('tinystore_inventory.inbox_event')).toBe(5);
  expect(await count(`ops.incident WHERE kind = 'DEAD_LETTER' AND status = 'OPEN'`)).toBe(1);
});

test('Orders travel from the gate through Kafka to the ledger and back: paid ones end CONFIRMED, cancelled ones free their units', async () => {
  await shop.stock('K1', 1000);
  await startAll();
  relay.start();
  shop.gatekeeper.start();
  const orders = await Promise.all(Array.from({ length: 60 }, (_, n) => placed(1 + (n % 3))));
  const [server, provider] = await openWebhook();
  const deps = { pool: shop.pool, log: silentLog, waker: { wake } };
  for (const [n, { tradeId, buyerId }] of orders.entries()) {
    if (n % 3 === 0) {
      expect(await cancelOrder(deps, { tradeId, by: { kind: 'buyer', buyerId } })).toEqual({ kind: 'closed' });
      continue;
    }
    const started = await startPayment({ ...deps, provider }, { tradeId, buyerId });
    if (started.kind !== 'started') throw new Error(`payment did not start: ${started.code}`);
    expect(await provider.act('pay', started.intentId)).toMatchObject([{ delivered: true }]);
  }
  await until(
    'every paid order is PAID',
    async () => (await count(`tinystore_order.trade WHERE status = 'PAID'`)) === 40,
    40_000,
  );
  await until(
    'every cancelled order is RELEASED',
    async () => (await count(`tinystore_order.shop_order WHERE status = 'RELEASED'`)) === 20,
    40_000,
  );
  await waitUntilQuiet({ pool: shop.pool });
  expect(await count('tinystore_order.buyer_limit WHERE open_orders > 0')).toBe(0);
  const acknowledged = orders.map((order) => order.tradeId);
  expect(await checkInvariants({ pool: shop.pool, gate: shop.gate, acknowledged })).toEqual([]);
  server.close();
});

async function openWebhook(): Promise<[Server, ReturnType<typeof createDemoProvider>]> {
  const secret = shop.config.secrets.PAYMENT_WEBHOOK_SECRET;
  const server = createServer(async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray());
    const header = request.headers[provider.signatureHeader];
    const receipt = await receiveNotice(deps, { rawBody, signature: typeof header === 'string' ? header : undefined });
    response.writeHead(receipt.kind === 'stored' ? 200 : 400).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  const publicUrl = `http://127.0.0.1:${address.port}`;
  const provider = createDemoProvider({ pool: shop.pool, publicUrl, webhookSecret: secret });
  const deps = { pool: shop.pool, log: silentLog, waker: { wake }, webhookSecrets: [secret], provider };
  return [server, provider];
}
