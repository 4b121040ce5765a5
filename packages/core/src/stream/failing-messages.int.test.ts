import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sql } from '../platform/index.ts';
import { setClockOffset } from '../testing/clock.ts';
import { until } from '../testing/until.ts';
import { type ConsumerDesk, openConsumerDesk } from './consumer-desk.testing.ts';
import { createProducer, type Producer, type Stream } from './index.ts';
import { connectTestKafka } from './topic-reader.testing.ts';

const BAD = randomUUID();
const GOOD = randomUUID();
type Events = readonly { id: string; key: string }[];
let desk: ConsumerDesk;
let stream: Stream;
let producer: Producer;
/** Keys that fail, and how: while they stand here. */
let failing: Map<string, string>;
beforeAll(() => {
  stream = connectTestKafka(process.env.KAFKA_BROKERS, 2);
  producer = createProducer(stream);
});
afterAll(() => producer.close());
beforeEach(async () => {
  failing = new Map();
  desk = await openConsumerDesk(stream);
});
afterEach(() => desk.close());

/** Fails with an SQLSTATE, or by an error of our own, and leaves its effect otherwise. */
async function handle(tx: Sql, events: Events) {
  for (const { key } of events) {
    const code = failing.get(key);
    if (code === 'own') throw new Error('no such trade');
    if (code) await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '${code}'; END $$`);
  }
  return desk.writeEffect(tx, events);
}
const one = (partition: number, key: string) => ({ ...desk.message(key), partition });
const letters = async () =>
  (
    await desk.database.pool.query<{ key: string; status: string; attempts: number; eventId: string }>(
      'SELECT key, status, attempts, event_id AS "eventId" FROM tinystore_inventory.dead_letter ORDER BY id',
    )
  ).rows;
const effects = async (key: string) =>
  (await desk.database.pool.query('SELECT event_id FROM effect WHERE key = $1 ORDER BY ctid', [key])).rows.map(
    (row) => row.event_id as string,
  );

test('A message that failed lets the others pass at once, is tried again, and those of its key come after it in order', async () => {
  const [bad, good] = [randomUUID(), randomUUID()];
  failing.set(bad, 'own');
  const sent = [one(0, bad), one(0, bad), one(0, good), one(0, bad), one(0, good)];
  await producer.send(sent);
  await desk.consume({ handle });
  await desk.handled(2);
  await until('those behind it wait', async () => (await letters()).length === 3);
  expect((await letters()).map((l) => l.status)).toEqual(['RETRYING', 'PARKED', 'PARKED']);
  failing.clear();
  await desk.retried();
  expect(await effects(bad)).toEqual([sent[0], sent[1], sent[3]].map((m) => m?.eventId));
  expect((await letters()).map((l) => l.status)).toEqual(['RESOLVED', 'RESOLVED', 'RESOLVED']);
  expect(await desk.count('tinystore_inventory.failing_key')).toBe(0);
  await producer.send([one(0, bad)]);
  await desk.handled(6);
  expect(await desk.count('tinystore_inventory.inbox_event')).toBe(6);
});

test('C41 – After five tries a message is given up once: incident, message for the dead-letter topic, and its key stays closed', async () => {
  const bad = randomUUID();
  failing.set(bad, 'own');
  await producer.send([one(0, bad), one(0, bad)]);
  await desk.consume({ handle });
  await until('both are kept', async () => (await letters()).length === 2);
  await desk.retried();
  expect(await letters()).toMatchObject([
    { status: 'DEAD', attempts: 5 },
    { status: 'PARKED', attempts: 0 },
  ]);
  await desk.retry();
  await producer.send([one(0, bad)]);
  await until('the next one waits too', async () => (await letters()).length === 3);
  expect(await desk.count(`ops.incident WHERE kind = 'DEAD_LETTER' AND status = 'OPEN'`)).toBe(1);
  expect(await desk.count(`tinystore_order.outbox_event WHERE type = 'ORDER_DEAD_LETTER'`)).toBe(1);
  expect(await desk.count('effect')).toBe(0);
});

test('The waits between the tries grow to their limit, by the clock of the database', async () => {
  const bad = randomUUID();
  failing.set(bad, 'own');
  await producer.send([one(0, bad)]);
  await desk.consume({ handle }, { retry: { maxAttempts: 5, initialMs: 60_000, multiplier: 2, maxMs: 200_000 } });
  await until('it is kept', async () => (await letters()).length === 1);
  expect(await desk.retry()).toEqual({ resolved: 0, failed: 0 });
  await setClockOffset(desk.database.pool, 59_000);
  expect(await desk.retry()).toEqual({ resolved: 0, failed: 0 });
  await setClockOffset(desk.database.pool, 61_000);
  failing.clear();
  expect(await desk.retry()).toEqual({ resolved: 1, failed: 0 });
});

test('A try that was set while the clock was 20 minutes ahead does not wait until then', async () => {
  const bad = randomUUID();
  failing.set(bad, 'own');
  await setClockOffset(desk.database.pool, 20 * 60_000);
  await producer.send([one(0, bad)]);
  await desk.consume({ handle });
  await until('it is kept', async () => (await letters()).length === 1);
  await setClockOffset(desk.database.pool, 0);
  failing.clear();
  expect(await desk.retry()).toEqual({ resolved: 1, failed: 0 });
});

test.each(['40P01', '40001', '55P03', '57014', '25P03'])(
  'C45 – A passing database error (%s) is tried again with growing waits and has one effect',
  async (code) => {
    const bad = randomUUID();
    failing.set(bad, code);
    await producer.send([one(0, bad), one(0, randomUUID())]);
    await desk.consume({ handle });
    await desk.handled(1);
    await until('it is kept', async () => (await letters()).length === 1);
    await until('a second try fails', async () => (await desk.retry()).failed === 1);
    failing.clear();
    await desk.retried();
    expect(await letters()).toMatchObject([{ status: 'RESOLVED', attempts: 2 }]);
    expect(await effects(bad)).toHaveLength(1);
  },
);

test.each(['40P01', '57014', '25P04', '22012'])(
  'C45 – An error that never ends (%s) is a dead letter after 5 tries',
  async (code) => {
    failing.set(BAD, code);
    await producer.send([one(0, BAD)]);
    await desk.consume({ handle });
    await until('it is kept', async () => (await letters()).length === 1);
    await desk.retried();
    expect(await letters()).toMatchObject([{ status: 'DEAD', attempts: 5 }]);
  },
);

test('C45 – A key that is taken already (23505) is not tried again', async () => {
  failing.set(BAD, '23505');
  await producer.send([one(0, BAD)]);
  await desk.consume({ handle });
  await until('it is given up', async () => (await letters()).length === 1);
  expect(await letters()).toMatchObject([{ status: 'DEAD', attempts: 1 }]);
});

test.each(['57P01', '53300', '08006'])(
  'C45 – An outage (%s) pauses the consumer and blames no message',
  async (code) => {
    failing.set(BAD, code);
    await producer.send([one(0, BAD), one(0, GOOD)]);
    const consumer = await desk.consume({ handle });
    await until('the consumer waits', () => consumer.health().waitingFor !== null);
    expect(await letters()).toEqual([]);
    failing.clear();
    await desk.handled(2);
    expect(await letters()).toEqual([]);
  },
);

test('An outage during a try outside the partition counts as no try', async () => {
  failing.set(BAD, 'own');
  await producer.send([one(0, BAD)]);
  await desk.consume({ handle });
  await until('it is kept', async () => (await letters()).length === 1);
  failing.set(BAD, '57P03');
  await until('the outage is seen', async () =>
    desk.retry().then(
      () => false,
      () => true,
    ),
  );
  expect(await letters()).toMatchObject([{ status: 'RETRYING', attempts: 1 }]);
});

test('A parked message that fails in its turn is tried again like any other', async () => {
  failing.set(BAD, 'own');
  const sent = [one(0, BAD), one(0, BAD), one(0, BAD)];
  await producer.send(sent);
  await desk.consume({ handle });
  await until('all are kept', async () => (await letters()).length === 3);
  const failsAt = (n: number) => async (tx: Sql, events: Events) => {
    if (events.some((e) => e.id === sent[n]?.eventId)) throw new Error('its own fault');
    return desk.writeEffect(tx, events);
  };
  await until('the first is handled', async () => (await desk.retry(failsAt(1))).resolved === 1);
  expect((await letters()).map((l) => l.status)).toEqual(['RESOLVED', 'RETRYING', 'PARKED']);
  await desk.retried(desk.writeEffect);
  expect(await effects(BAD)).toEqual(sent.map((m) => m.eventId));
});

test('Parking and the opening of a key never leave a message behind: 200 messages while the key opens and closes', async () => {
  failing.set(BAD, 'own');
  await desk.consume({ handle });
  const ids: string[] = [];
  for (let round = 0; round < 20; round++) {
    if (round % 4 === 0) failing.set(BAD, 'own');
    const some = Array.from({ length: 10 }, () => one(0, BAD));
    ids.push(...some.map((m) => m.eventId));
    const sending = producer.send(some);
    if (round % 4 === 2) failing.clear();
    await Promise.all([sending, desk.retry(), desk.retry()]);
  }
  failing.clear();
  await until('all are handled', async () => {
    await desk.retry();
    return (await desk.count('effect')) === 200;
  });
  expect(await effects(BAD)).toEqual(ids);
  expect(await desk.count('tinystore_inventory.failing_key')).toBe(0);
}, 60_000);
