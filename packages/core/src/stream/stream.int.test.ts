import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { restartServer } from '../../../../stack/services/control-server.ts';
import { openIncident } from '../ops/index.ts';
import { type Sql, silentLog } from '../platform/index.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { until } from '../testing/until.ts';
import {
  type ConsumerDefinition,
  type ConsumerDeps,
  createProducer,
  ensureTopics,
  type OutgoingMessage,
  type Producer,
  partitionOf,
  type RunningConsumer,
  type Stream,
  startConsumer,
  TopicMismatch,
} from './index.ts';
import { connectTestKafka, createTestTopic, watchTopics } from './topic-reader.testing.ts';

let database: TestDatabase;
let stream: Stream;
let producer: Producer;
let topic: string;
const consumers: RunningConsumer[] = [];
beforeAll(() => {
  stream = connectTestKafka(process.env.KAFKA_BROKERS, 2);
  producer = createProducer(stream);
});
afterAll(() => producer.close());
beforeEach(async () => {
  database = await createTestDatabase('stream');
  await database.pool.query('CREATE TABLE effect (event_id uuid NOT NULL, key text NOT NULL)');
  topic = await createTestTopic(stream);
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  await database.drop();
});

function message(key: string, more: { type?: string; value?: string } = {}): OutgoingMessage & { eventId: string } {
  const eventId = randomUUID();
  const type = more.type ?? 'TRADE_PAID';
  const body = {
    id: eventId,
    type,
    version: 1,
    key,
    occurredAt: new Date().toISOString(),
    traceId: 't',
    payload: { tradeId: key, buyerId: key },
  };
  return {
    topic,
    partition: partitionOf(key, 2),
    key,
    value: Buffer.from(more.value ?? JSON.stringify(body)),
    type,
    eventId,
  };
}
const deps = (more: Partial<ConsumerDeps> = {}): ConsumerDeps => ({
  stream,
  pool: database.pool,
  log: silentLog,
  openIncident,
  wake: () => undefined,
  onFatal: (error) => {
    throw error;
  },
  backOff: { initialMs: 20, multiplier: 2, maxMs: 200 },
  ...more,
});
const writeEffect = async (tx: Sql, events: readonly { id: string; key: string }[]) => {
  await tx.query('INSERT INTO effect SELECT * FROM unnest($1::uuid[], $2::text[])', [
    events.map((e) => e.id),
    events.map((e) => e.key),
  ]);
  return [];
};
async function consume(
  more: Partial<ConsumerDefinition> = {},
  moreDeps: Partial<ConsumerDeps> = {},
): Promise<RunningConsumer> {
  const consumer = await startConsumer(deps(moreDeps), {
    name: `test.${topic}`,
    topic,
    types: ['TRADE_PAID'],
    answersForUnknown: true,
    handle: writeEffect,
    wakes: [],
    ...more,
  });
  consumers.push(consumer);
  return consumer;
}
const count = async (table: string) =>
  (await database.pool.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`)).rows[0]?.n;
const handled = (n: number) => until(`${n} effects`, async () => (await count('effect')) === n, 60_000);

test('A topic with another partition count is refused at start, naming both', async () => {
  await expect(ensureTopics(connectTestKafka(process.env.KAFKA_BROKERS, 3), [topic])).rejects.toThrow(TopicMismatch);
  await expect(ensureTopics(connectTestKafka(process.env.KAFKA_BROKERS, 3), [topic])).rejects.toThrow(
    /has 2 partitions, KAFKA_PARTITIONS is 3/,
  );
  await ensureTopics(stream, [topic]);
});

test('A send tells the partition and offset of each of its messages', async () => {
  const watch = await watchTopics(stream, [topic]);
  const sent = Array.from({ length: 50 }, () => message(randomUUID()));
  const placed = [...(await producer.send(sent.slice(0, 20))), ...(await producer.send(sent.slice(20)))];
  const at = new Map((await watch.read()).map((found) => [`${found.partition}/${found.offset}`, found.id]));
  expect(placed.map(({ partition, offset }) => at.get(`${partition}/${offset}`))).toEqual(sent.map((m) => m.eventId));
});

test('Events repeated in the topic have one effect, and foreign types are passed over', async () => {
  const events = Array.from({ length: 30 }, () => message(randomUUID()));
  await producer.send([...events, message(randomUUID(), { type: 'TRADE_CREATED', value: 'not even JSON' }), ...events]);
  const consumer = await consume();
  await handled(30);
  await until('the end of the topic', () => consumer.health().lag === 0);
  expect(await count('effect')).toBe(30);
  expect(await count(`tinystore_inventory.inbox_event`)).toBe(30);
  expect(await count('tinystore_inventory.dead_letter')).toBe(0);
  expect(consumer.health()).toMatchObject({ running: true, waitingFor: null });
});

test('C41 – Bad messages become dead letters with body, reason and origin; the others of the partition are handled', async () => {
  const bad = [
    message(randomUUID(), { value: '{"broken' }),
    message(randomUUID(), { type: 'NO_SUCH_TYPE' }),
    message(randomUUID(), { value: '{"id":"x"}' }),
    message(randomUUID(), { value: 'nul \0 byte' }),
    message('11111111-1111-4111-8111-111111111111'),
  ];
  const good = Array.from({ length: 50 }, () => message(randomUUID()));
  await producer.send([...bad, ...good, ...bad].map((m) => ({ ...m, partition: 0 })));
  const refusesOne = async (tx: Sql, events: readonly { id: string; key: string }[]) => {
    await writeEffect(tx, events);
    if (events.some((e) => e.key.startsWith('11111111'))) throw new Error('no such trade');
    return [];
  };
  await consume({ handle: refusesOne });
  await handled(50);
  const letters = () =>
    database.pool.query<{ body: string; reason: string; offset: number }>(
      `SELECT body, reason, "offset" FROM tinystore_inventory.dead_letter WHERE status = 'DEAD' AND partition = 0 AND topic = $1 ORDER BY "offset"`,
      [topic],
    );
  await until('every bad message is kept', async () => (await letters()).rows.length === 9);
  const { rows } = await letters();
  expect(rows.map((row) => row.offset)).toEqual([0, 1, 2, 3, 4, 55, 56, 57, 58]);
  expect(rows[0]).toMatchObject({ body: '{"broken' });
  expect(rows[1]?.reason).toBe('unknown event type NO_SUCH_TYPE');
  expect(Buffer.from(rows[3]?.body.replace('base64:', '') ?? '', 'base64').toString()).toBe('nul \0 byte');
  expect(rows[4]?.reason).toMatch(/no such trade/);
  expect(await count('effect')).toBe(50);
  expect(await count('tinystore_inventory.inbox_event')).toBe(50);
  expect(await count(`ops.incident WHERE kind = 'DEAD_LETTER'`)).toBe(9);
});

test('A dead letter names the plain topic where the installation has a prefix at the broker', async () => {
  const prefixed = { ...stream, prefix: `p${randomUUID()}.` };
  await ensureTopics(prefixed, [topic]);
  const own = createProducer(prefixed);
  await own.send([message(randomUUID(), { value: '{"broken' })]);
  await consume({}, { stream: prefixed });
  const letters = () => database.pool.query<{ topic: string }>('SELECT topic FROM tinystore_inventory.dead_letter');
  await until('the bad message is kept', async () => (await letters()).rows.length === 1);
  expect((await letters()).rows).toEqual([{ topic }]);
  await own.close();
});

test('C38 – Mark and effect stand or fall together when the database drops the connection', async () => {
  await producer.send(Array.from({ length: 60 }, () => message(randomUUID())));
  let drops = 3;
  await consume({
    async handle(tx, events) {
      await writeEffect(tx, events);
      if (drops-- > 0) await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
      return [];
    },
  });
  await handled(60);
  expect(drops).toBeLessThan(0);
  expect(await count('tinystore_inventory.inbox_event')).toBe(60);
  expect(await count('tinystore_inventory.dead_letter')).toBe(0);
});

test('C38 – A consumer that ends between commit and offset repeats nothing when it comes back', async () => {
  await producer.send(Array.from({ length: 40 }, () => message(randomUUID())));
  const first = await consume();
  await handled(40);
  await first.stop();
  const admin = stream.kafka.admin();
  await admin.connect();
  await admin.setOffsets({
    groupId: `test.${topic}`,
    topic,
    partitions: [0, 1].map((partition) => ({ partition, offset: '0' })),
  });
  await admin.disconnect();
  await producer.send([message(randomUUID())]);
  const second = await consume();
  await handled(41);
  await until('the end of the topic', () => second.health().lag === 0 && second.health().lastHandledAt !== null);
  expect(await count('effect')).toBe(41);
});

test('C39 – A broker that restarts costs no event, and the consumer comes back by itself', async () => {
  let fatal: Error | undefined;
  const consumer = await consume(
    {},
    {
      onFatal: (error) => {
        fatal = error;
      },
    },
  );
  await producer.send([message(randomUUID())]);
  await handled(1);
  await restartServer(process.env.HOLDFAST_STACK_DIR ?? '', 'kafka');
  const late = message(randomUUID());
  await until(
    'the producer is back',
    () =>
      producer.send([late]).then(
        () => true,
        () => false,
      ),
    60_000,
  );
  await handled(2);
  expect(fatal).toBeUndefined();
  await until('health is green again', () => consumer.health().running);
}, 180_000);
