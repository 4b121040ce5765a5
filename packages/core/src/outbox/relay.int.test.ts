import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ORDER_TOPIC } from '../domain/index.ts';
import { inTransaction, type Pool, silentLog } from '../platform/index.ts';
import { createProducer, ensureTopics, type Producer, type Stream } from '../stream/index.ts';
import { connectTestKafka, watchTopics } from '../stream/topic-reader.testing.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { until } from '../testing/until.ts';
import { append, createRelayLoop, type NewEvent, pruneOutbox, type RelayDeps, relayOnce } from './index.ts';

let database: TestDatabase;
let pool: Pool;
let stream: Stream;
let producer: Producer;
beforeAll(async () => {
  stream = connectTestKafka(process.env.KAFKA_BROKERS);
  await ensureTopics(stream);
  producer = createProducer(stream);
});
afterAll(() => producer.close());
beforeEach(async () => {
  database = await createTestDatabase('relay');
  pool = database.pool;
});
afterEach(() => database.drop());

const deps = (more: Partial<RelayDeps> = {}): RelayDeps => ({
  pool,
  producer,
  log: silentLog,
  holder: 'relay',
  batchSize: 5000,
  ...more,
});
const tradePaid = (key: string): NewEvent => ({
  type: 'TRADE_PAID',
  key,
  traceId: 'test',
  payload: { tradeId: key, buyerId: key },
});
const insert = (type: string, key: string, payload: string) =>
  pool.query(
    `INSERT INTO tinystore_order.outbox_event (event_id, type, topic, key, trace_id, payload) VALUES ($1, $2, $3, $4, 'test', $5::jsonb)`,
    [randomUUID(), type, ORDER_TOPIC, key, payload],
  );
const appendAll = (keys: readonly string[]) => inTransaction(pool, (tx) => append(tx, keys.map(tradePaid)));

interface Row {
  id: number;
  eventId: string;
  status: string;
  partition: number | null;
  offset: number | null;
  reason: string | null;
}
async function readOutbox(): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `SELECT id, event_id AS "eventId", status, partition, "offset", parked_reason AS reason FROM tinystore_order.outbox_event ORDER BY id`,
  );
  return rows;
}
const statuses = async () => (await readOutbox()).map((row) => row.status);

test('C31 – An event is sent although one with a greater id was committed and sent before it', async () => {
  const watch = await watchTopics(stream, [ORDER_TOPIC]);
  const slow = await pool.connect();
  await slow.query('BEGIN');
  await append(slow, [tradePaid(randomUUID())]);
  await appendAll([randomUUID()]);
  expect(await relayOnce(deps())).toBe(1);
  await slow.query('COMMIT');
  slow.release();
  expect(await relayOnce(deps())).toBe(1);
  const rows = await readOutbox();
  const found = await watch.read();
  expect(
    found.map(({ id, partition, offset }) => ({ id, partition, offset })).sort((a, b) => (a.id < b.id ? -1 : 1)),
  ).toEqual(
    rows
      .map(({ eventId, partition, offset }) => ({ id: eventId, partition, offset }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
});

test('Each sent row names the partition and offset where its event stands, and the envelope carries its payload', async () => {
  const watch = await watchTopics(stream, [ORDER_TOPIC]);
  const keys = Array.from({ length: 300 }, () => randomUUID());
  await appendAll(keys);
  expect(await relayOnce(deps())).toBe(300);
  const at = new Map((await watch.read()).map((m) => [`${m.partition}/${m.offset}`, m]));
  for (const [index, row] of (await readOutbox()).entries()) {
    const message = at.get(`${row.partition}/${row.offset}`);
    expect(message?.id).toBe(row.eventId);
    expect(JSON.parse(message?.value ?? '')).toMatchObject({
      id: row.eventId,
      type: 'TRADE_PAID',
      version: 1,
      key: keys[index],
      payload: { tradeId: keys[index] },
    });
  }
});

test('C11 – A relay killed after the ack sends again, and every event keeps its id', async () => {
  await appendAll(Array.from({ length: 20 }, () => randomUUID()));
  const watch = await watchTopics(stream, [ORDER_TOPIC]);
  const crash = new URL('./crash-after-ack.testing.ts', import.meta.url).pathname;
  const signal = await new Promise((resolve) =>
    execFile(process.execPath, [crash, database.url, process.env.KAFKA_BROKERS ?? ''], (error) =>
      resolve(error?.signal),
    ),
  );
  expect(signal).toBe('SIGKILL');
  expect(new Set(await statuses())).toEqual(new Set(['PENDING']));
  await until('the dead relay loses its lease', async () => (await relayOnce(deps())) === 20);
  const found = await watch.read();
  expect(found).toHaveLength(40);
  expect(new Set(found.map((m) => m.id)).size).toBe(20);
  expect(new Set(await statuses())).toEqual(new Set(['SENT']));
});

test('C11 – Three relays that start together leave no event out and none pending', async () => {
  const watch = await watchTopics(stream, [ORDER_TOPIC]);
  const keys = Array.from({ length: 200 }, () => randomUUID());
  for (let page = 0; page < 10; page++)
    await appendAll(Array.from({ length: 1000 }, (_, n) => keys[n % keys.length] ?? ''));
  const loops = ['a', 'b', 'c'].map((holder) =>
    createRelayLoop({ ...deps({ holder, leaseMs: 40, batchSize: 700, producer: createProducer(stream) }), pollMs: 20 }),
  );
  for (const loop of loops) loop.start();
  await until('everything is sent', async () => (await statuses()).every((status) => status === 'SENT'), 50_000);
  await Promise.all(loops.map((loop) => loop.stop()));
  const found = await watch.read();
  const ids = (await readOutbox()).map((row) => row.eventId);
  expect(new Set(found.map((m) => m.id))).toEqual(new Set(ids));
  expectKeyOrder(found, ids);
});

/** First appearances of each key follow the order of its rows. */
function expectKeyOrder(found: readonly { id: string; key: string }[], ids: readonly string[]): void {
  const place = new Map(ids.map((id, index) => [id, index]));
  const seen = new Set<string>();
  const last = new Map<string, number>();
  for (const { id, key } of found) {
    if (seen.has(id)) continue;
    seen.add(id);
    expect(place.get(id)).toBeGreaterThan(last.get(key) ?? -1);
    last.set(key, place.get(id) ?? -1);
  }
}

test('C32 – A relay that sleeps on its batch does not disturb the order of a key, and marks nothing of its successor', async () => {
  const x = randomUUID();
  await appendAll([randomUUID(), randomUUID(), randomUUID(), x, x, x, x, randomUUID(), randomUUID(), randomUUID()]);
  const watch = await watchTopics(stream, [ORDER_TOPIC]);
  let wake: () => void = () => undefined;
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let taken = false;
  const own = createProducer(stream);
  const sleeper: Producer = {
    ...own,
    async send(messages) {
      taken = true;
      await asleep;
      return own.send(messages);
    },
  };
  const first = relayOnce(deps({ holder: 'first', producer: sleeper, batchSize: 5, leaseMs: 50 })).catch(
    (error: unknown) => error,
  );
  await until('the first relay has its batch', () => taken);
  await until(
    'the second relay takes over',
    async () => (await relayOnce(deps({ holder: 'second', batchSize: 5 }))) === 10,
  );
  const marked = await readOutbox();
  wake();
  await first;
  expect(await readOutbox()).toEqual(marked);
  const found = await watch.read();
  expect(found.length).toBeGreaterThanOrEqual(10);
  expectKeyOrder(
    found,
    marked.map((row) => row.eventId),
  );
  await own.close();
});

test('C41 – An event that cannot be sent is parked with the later ones of its key; other keys go on', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  await appendAll([a, b]);
  await insert('NO_SUCH_TYPE', a, '{}');
  await appendAll([b, a]);
  await insert('TRADE_PAID', b, JSON.stringify({ text: 'x'.repeat(800_000) }));
  await appendAll([b, randomUUID()]);
  const parked: string[] = [];
  const relay = deps({ batchSize: 3, onParked: async (_sql, event) => void parked.push(event.key) });
  expect(await relayOnce(relay)).toBe(4);
  await appendAll([a, b]);
  expect(await relayOnce(relay)).toBe(0);
  const rows = await readOutbox();
  expect(rows.map((row) => row.status)).toEqual([
    'SENT',
    'SENT',
    'PARKED',
    'SENT',
    'PARKED',
    'PARKED',
    'PARKED',
    'SENT',
    'PARKED',
    'PARKED',
  ]);
  expect(rows[2]?.reason).toBe('unknown event type NO_SUCH_TYPE');
  expect(rows[4]?.reason).toBe(`behind event ${rows[2]?.id}`);
  expect(rows[5]?.reason).toMatch(/bytes, at most/);
  expect(parked).toEqual([a, b]);
});

test('An event is parked together with the incident that tells of it, or not at all', async () => {
  await insert('NO_SUCH_TYPE', 'a key', '{}');
  await expect(relayOnce(deps({ onParked: () => Promise.reject(new Error('full')) }))).rejects.toThrow('full');
  expect(await statuses()).toEqual(['PENDING']);
  await relayOnce(deps());
  expect(await statuses()).toEqual(['PARKED']);
});

test('A broker that is away parks nothing and loses nothing', async () => {
  await appendAll([randomUUID(), randomUUID()]);
  const away = createProducer(connectTestKafka('127.0.0.1:1'));
  await expect(relayOnce(deps({ producer: away }))).rejects.toThrow();
  await away.close();
  expect(await statuses()).toEqual(['PENDING', 'PENDING']);
  expect(await relayOnce(deps())).toBe(2);
});

test('The clean-up deletes old sent events and nothing else', async () => {
  await appendAll(Array.from({ length: 6 }, () => randomUUID()));
  await pool.query(
    `UPDATE tinystore_order.outbox_event o SET occurred_at = ops.clock_now() - make_interval(days => 9),
       status = CASE WHEN n < 4 THEN 'SENT' WHEN n = 4 THEN 'PENDING' ELSE 'PARKED' END,
       sent_at = CASE WHEN n < 4 THEN ops.clock_now() - make_interval(days => CASE WHEN n = 1 THEN 6 ELSE 8 END) END
     FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM tinystore_order.outbox_event) r WHERE r.id = o.id`,
  );
  expect(await pruneOutbox(pool, { retentionDays: 7 })).toBe(2);
  expect(await statuses()).toEqual(['SENT', 'PENDING', 'PARKED', 'PARKED']);
});
