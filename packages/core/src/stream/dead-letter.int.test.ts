import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sql } from '../platform/index.ts';
import { until } from '../testing/until.ts';
import { type ConsumerDesk, openConsumerDesk } from './consumer-desk.testing.ts';
import { createProducer, ensureTopics, type Producer, type Stream } from './index.ts';
import { connectTestKafka } from './topic-reader.testing.ts';

const BAD = '11111111-1111-4111-8111-11111111111';
let desk: ConsumerDesk;
let stream: Stream;
let producer: Producer;
beforeAll(() => {
  stream = connectTestKafka(process.env.KAFKA_BROKERS, 2);
  producer = createProducer(stream);
});
afterAll(() => producer.close());
beforeEach(async () => {
  desk = await openConsumerDesk(stream);
});
afterEach(() => desk.close());

test('C41 – Bad messages become dead letters with body, reason and origin; the others of the partition are handled', async () => {
  const bad = [
    desk.message(randomUUID(), { value: '{"broken' }),
    desk.message(randomUUID(), { type: 'NO_SUCH_TYPE' }),
    desk.message(randomUUID(), { value: '{"id":"x"}' }),
    desk.message(randomUUID(), { value: 'nul \0 byte' }),
    desk.message('11111111-1111-4111-8111-111111111111'),
  ];
  const good = Array.from({ length: 50 }, () => desk.message(randomUUID()));
  await producer.send([...bad, ...good, ...bad].map((m) => ({ ...m, partition: 0 })));
  const refusesOne = async (tx: Sql, events: readonly { id: string; key: string }[]) => {
    await desk.writeEffect(tx, events);
    if (events.some((e) => e.key.startsWith('11111111'))) throw new Error('no such trade');
    return [];
  };
  await desk.consume({ handle: refusesOne });
  await desk.handled(50);
  const letters = () =>
    desk.database.pool.query<{ body: string; reason: string; offset: number }>(
      `SELECT body, reason, "offset" FROM tinystore_inventory.dead_letter WHERE status = 'DEAD' AND partition = 0 AND topic = $1 ORDER BY "offset"`,
      [desk.topic],
    );
  await until('every bad message is kept', async () => (await desk.count('tinystore_inventory.dead_letter')) === 9);
  await desk.retried();
  const { rows } = await letters();
  expect(rows.map((row) => row.offset)).toEqual([0, 1, 2, 3, 4, 55, 56, 57, 58]);
  expect(rows[0]).toMatchObject({ body: '{"broken' });
  expect(rows[1]?.reason).toBe('unknown event type NO_SUCH_TYPE');
  expect(Buffer.from(rows[3]?.body.replace('base64:', '') ?? '', 'base64').toString()).toBe('nul \0 byte');
  expect(rows[4]?.reason).toMatch(/no such trade/);
  expect(await desk.count('effect')).toBe(50);
  expect(await desk.count('tinystore_inventory.inbox_event')).toBe(50);
  expect(await desk.count(`ops.incident WHERE kind = 'DEAD_LETTER'`)).toBe(9);
});

test('A dead letter names the plain topic where the installation has a prefix at the broker', async () => {
  const prefixed = { ...stream, prefix: `p${randomUUID()}.` };
  await ensureTopics(prefixed, [desk.topic]);
  const own = createProducer(prefixed);
  await own.send([desk.message(randomUUID(), { value: '{"broken' })]);
  await desk.consume({}, { stream: prefixed });
  const letters = () =>
    desk.database.pool.query<{ topic: string }>('SELECT topic FROM tinystore_inventory.dead_letter');
  await until('the bad message is kept', async () => (await letters()).rows.length === 1);
  expect((await letters()).rows).toEqual([{ topic: desk.topic }]);
  await own.close();
});

test('C41 – A reason with NUL, or cut within a character, is kept like any other', async () => {
  const reasons = [`${'x'.repeat(392)}🚢 and more`, 'nul \0 byte', `half ${'🚢'.slice(0, 1)}`];
  await producer.send(
    [...reasons.map((_, i) => desk.message(`${BAD}${i}`)), desk.message(randomUUID())].map((m) => ({
      ...m,
      partition: 0,
    })),
  );
  await desk.consume({
    async handle(tx, events) {
      const bad = events.find((e) => e.key.startsWith(BAD));
      if (bad) throw new Error(reasons[Number(bad.key.slice(BAD.length))]);
      return await desk.writeEffect(tx, events);
    },
  });
  await desk.handled(1);
  await desk.retried();
  const { rows } = await desk.database.pool.query<{ reason: string; short: string }>(
    `SELECT d.reason, i.detail->>'reason' AS short FROM tinystore_inventory.dead_letter d
     JOIN ops.incident i ON i.subject = d.consumer || '/' || d.event_id ORDER BY d."offset"`,
  );
  expect(rows.map((row) => row.reason)).toEqual([
    `Error: ${reasons[0]}`,
    'Error: nul \uFFFD byte',
    'Error: half \uFFFD',
  ]);
  expect(rows[0]?.short).toBe(`Error: ${'x'.repeat(392)}\uFFFD`);
});

test('A dead letter that the database refuses is kept without its content, and those beside it whole', async () => {
  await desk.database.pool.query(`ALTER TABLE tinystore_inventory.dead_letter ADD CHECK (body NOT LIKE '%refuse me%')`);
  const bad = ['{"first', '{"refuse me', '{"last'].map((value) => desk.message(randomUUID(), { value }));
  await producer.send([...bad, desk.message(randomUUID())].map((m) => ({ ...m, partition: 0 })));
  await desk.consume();
  await desk.handled(1);
  const { rows } = await desk.database.pool.query<{ body: string; offset: number }>(
    `SELECT body, "offset" FROM tinystore_inventory.dead_letter ORDER BY "offset"`,
  );
  expect(rows).toEqual([
    { body: '{"first', offset: 0 },
    { body: 'not kept', offset: 1 },
    { body: '{"last', offset: 2 },
  ]);
});

test('A consumer whose dead letters are refused for good ends loudly and loses nothing', async () => {
  await desk.database.pool.query('ALTER TABLE tinystore_inventory.dead_letter ADD CONSTRAINT none CHECK (false)');
  await producer.send(
    [desk.message(randomUUID(), { value: '{"broken' }), desk.message(randomUUID())].map((m) => ({
      ...m,
      partition: 0,
    })),
  );
  const deaths: Error[] = [];
  const first = await desk.consume({}, { onFatal: (error) => deaths.push(error) });
  await until('the consumer dies', () => deaths.length > 0);
  expect(deaths[0]?.message).toMatch(/died: .*none/);
  expect(first.health().running).toBe(false);
  await first.stop();
  await desk.database.pool.query('ALTER TABLE tinystore_inventory.dead_letter DROP CONSTRAINT none');
  await desk.consume();
  await desk.handled(1);
  expect(await desk.count('tinystore_inventory.dead_letter')).toBe(1);
  expect(deaths).toHaveLength(1);
});
