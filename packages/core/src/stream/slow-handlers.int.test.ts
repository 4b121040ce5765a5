import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { IncomingEvent } from '../domain/index.ts';
import type { Sql } from '../platform/index.ts';
import { until } from '../testing/until.ts';
import { type ConsumerDesk, openConsumerDesk } from './consumer-desk.testing.ts';
import { createProducer, type Producer, type Stream } from './index.ts';
import { connectTestKafka } from './topic-reader.testing.ts';

type Events = readonly { id: string; key: string }[];
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

test('C40 – A row lock that somebody holds makes one event wait; the others pass, and it is handled once the lock is gone', async () => {
  const held = randomUUID();
  await desk.database.pool.query('CREATE TABLE held (key text PRIMARY KEY)');
  await desk.database.pool.query('INSERT INTO held VALUES ($1)', [held]);
  const holder = await desk.database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM held FOR UPDATE');
  await producer.send([held, randomUUID(), randomUUID()].map((key) => ({ ...desk.message(key), partition: 0 })));
  const handle = async (tx: Sql, events: Events) => {
    await tx.query('SELECT 1 FROM held WHERE key = ANY($1::text[]) FOR UPDATE', [events.map((e) => e.key)]);
    return desk.writeEffect(tx, events);
  };
  const consumer = await desk.consume({ handle });
  await desk.handled(2);
  expect(consumer.health()).toMatchObject({ running: true, waitingFor: null });
  expect(await desk.count(`tinystore_inventory.dead_letter WHERE status = 'RETRYING'`)).toBe(1);
  await holder.query('COMMIT');
  holder.release();
  await desk.retried();
  expect(await desk.count('effect')).toBe(3);
  expect(await desk.count(`tinystore_inventory.dead_letter WHERE status = 'RESOLVED'`)).toBe(1);
}, 60_000);

test('C40 – A member that joins and leaves over and over, beside slow handlers, costs no event and doubles none (15 s instead of 3 min, 40 events instead of 200)', async () => {
  const handle = async (tx: Sql, events: Events) => {
    await sleep(300);
    return desk.writeEffect(tx, events);
  };
  // One event a transaction, so that 40 events are 40 slow handlers.
  const plan = (events: readonly IncomingEvent[]) => events.map((event) => [event]);
  const first = await desk.consume({ handle, plan });
  await producer.send(Array.from({ length: 40 }, () => desk.message(randomUUID())));
  for (let round = 0; round < 5; round++) {
    const second = await desk.consume({ handle, plan });
    await sleep(1500);
    await second.stop();
    await sleep(1500);
  }
  await desk.handled(40);
  await until('the end of the topic', () => first.health().lag === 0 && first.health().running);
  expect(await desk.count('effect')).toBe(40);
  expect(await desk.count('tinystore_inventory.inbox_event')).toBe(40);
  expect(await desk.count('tinystore_inventory.dead_letter')).toBe(0);
}, 120_000);
