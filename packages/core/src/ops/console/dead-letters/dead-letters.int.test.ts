import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sql } from '../../../platform/index.ts';
import { type ConsumerDesk, openConsumerDesk } from '../../../stream/consumer-desk.testing.ts';
import { createProducer, type Producer, type Stream } from '../../../stream/index.ts';
import { connectTestKafka } from '../../../stream/topic-reader.testing.ts';
import { until } from '../../../testing/until.ts';
import { discardLetter } from './discard-letter.ts';
import { editLetter } from './edit-letter.ts';
import { groupLetters, listLetters } from './list-letters.ts';
import { redriveGroup, redriveLetter } from './redrive-letters.ts';

type Events = readonly { id: string; key: string }[];
const BY = { actor: 'ada@shop.example', reason: 'the cause is mended' };
let desk: ConsumerDesk;
let stream: Stream;
let producer: Producer;
let failing: Set<string>;
beforeAll(() => {
  stream = connectTestKafka(process.env.KAFKA_BROKERS, 2);
  producer = createProducer(stream);
});
afterAll(() => producer.close());
beforeEach(async () => {
  failing = new Set();
  desk = await openConsumerDesk(stream);
});
afterEach(() => desk.close());

async function handle(tx: Sql, events: Events) {
  for (const { key } of events) if (failing.has(key)) throw new Error(`no trade ${key}`);
  return desk.writeEffect(tx, events);
}
/** One letter that was given up for each key, and as many behind it as asked. */
async function giveUp(keys: readonly string[], behind = 0) {
  for (const key of keys) failing.add(key);
  const sent = keys.flatMap((key) => Array.from({ length: 1 + behind }, () => desk.message(key)));
  await producer.send(sent.map((m) => ({ ...m, partition: 0 })));
  await desk.consume({ handle });
  await until('all are kept', async () => (await desk.count('tinystore_inventory.dead_letter')) === sent.length);
  await desk.retried();
  return sent;
}
const pool = () => desk.database.pool;
const letters = () => listLetters(pool());
const dead = async () => (await listLetters(pool(), { status: 'DEAD' })).toReversed();
const audits = async () =>
  (
    await pool().query<{ action: string; actor: string; reason: string }>(
      'SELECT action, actor, reason FROM ops.audit_log',
    )
  ).rows;

test('Letters of one cause are one group, are sent again together, and each key keeps its order', async () => {
  const keys = [randomUUID(), randomUUID(), randomUUID()];
  const sent = await giveUp(keys, 2);
  const [group, ...others] = await groupLetters(pool());
  expect(others).toEqual([]);
  expect(group).toMatchObject({ letters: 3, keys: 3, parked: 6, type: 'TRADE_PAID' });
  failing.clear();
  expect(await redriveGroup(pool(), { ...BY, fingerprint: group?.fingerprint ?? '' })).toEqual({
    kind: 'asked',
    letters: 3,
  });
  await until('all are handled', async () => {
    await desk.retry();
    return (await letters()).length === 0;
  });
  const { rows } = await pool().query<{ event_id: string; key: string }>(
    'SELECT event_id, key FROM effect ORDER BY ctid',
  );
  for (const key of keys)
    expect(rows.filter((row) => row.key === key).map((row) => row.event_id)).toEqual(
      sent.filter((m) => m.key === key).map((m) => m.eventId),
    );
  expect(await desk.count(`ops.incident WHERE status = 'OPEN'`)).toBe(0);
  expect(await audits()).toEqual([{ ...BY, action: 'dead-letter.redrive' }]);
});

test('A letter sent again twice at once has one effect; one that fails again stays given up and is reported once', async () => {
  const [key] = [randomUUID()];
  await giveUp([key]);
  const [letter] = await dead();
  const id = letter?.id ?? 0;
  await redriveLetter(pool(), { ...BY, id });
  await until('it fails once more', async () => (await desk.retry()).failed === 1);
  expect(await dead()).toMatchObject([{ id, attempts: 6, nextAttemptAt: null }]);
  expect(await desk.retry()).toEqual({ resolved: 0, failed: 0 });
  expect(await desk.count(`tinystore_order.outbox_event WHERE type = 'ORDER_DEAD_LETTER'`)).toBe(1);
  failing.clear();
  await Promise.all([redriveLetter(pool(), { ...BY, id }), redriveLetter(pool(), { ...BY, id })]);
  await Promise.all([desk.retry(), desk.retry(), desk.retry()]);
  await until('it is handled', async () => {
    await desk.retry();
    return (await desk.count('effect')) === 1;
  });
  expect(await redriveLetter(pool(), { ...BY, id })).toMatchObject({ kind: 'refused', code: 'WRONG_STATE' });
  expect(await desk.count('effect')).toBe(1);
});

test('A message whose form is wrong is mended and handled; who it is about cannot be changed', async () => {
  const message = desk.message(randomUUID());
  const body = JSON.parse(message.value.toString()) as { payload: object };
  await producer.send([{ ...message, value: Buffer.from(JSON.stringify({ ...body, occurredAt: 'yesterday' })) }]);
  await desk.consume({ handle });
  await until('it is given up', async () => (await dead()).length === 1);
  const id = (await dead())[0]?.id ?? 0;
  const edit = (next: unknown) => editLetter(pool(), { ...BY, id, body: JSON.stringify(next) });
  const other = randomUUID();
  expect(await edit({ ...body, payload: { tradeId: other, buyerId: other } })).toMatchObject({ code: 'INVALID_INPUT' });
  expect(await edit({ ...body, occurredAt: 'today' })).toMatchObject({ code: 'INVALID_INPUT' });
  expect(await desk.retry()).toEqual({ resolved: 0, failed: 0 });
  expect(await edit(body)).toEqual({ kind: 'asked', letters: 1 });
  await until('it is handled', async () => (await desk.retry()).resolved === 1);
  expect(await desk.count('effect')).toBe(1);
  expect(await audits()).toEqual([{ ...BY, action: 'dead-letter.edit' }]);
});

test('A discarded message opens its key for those behind it; one that moves units cannot be discarded', async () => {
  const key = randomUUID();
  await giveUp([key], 1);
  const id = (await dead())[0]?.id ?? 0;
  const parked = (await listLetters(pool(), { status: 'PARKED' }))[0]?.id ?? 0;
  expect(await discardLetter(pool(), { ...BY, id: parked })).toMatchObject({ code: 'WRONG_STATE' });
  await pool().query(`UPDATE tinystore_inventory.dead_letter SET type = 'INVENTORY_CONFIRM' WHERE id = $1`, [id]);
  expect(await discardLetter(pool(), { ...BY, id })).toMatchObject({ code: 'WRONG_STATE' });
  await pool().query(`UPDATE tinystore_inventory.dead_letter SET type = 'TRADE_PAID' WHERE id = $1`, [id]);
  failing.clear();
  expect(await discardLetter(pool(), { ...BY, id })).toEqual({ kind: 'discarded' });
  expect(await discardLetter(pool(), { ...BY, id })).toMatchObject({ code: 'WRONG_STATE' });
  await until('the next one is handled', async () => (await desk.retry()).resolved === 1);
  expect(await desk.count('effect')).toBe(1);
  expect(await desk.count(`ops.incident WHERE status = 'OPEN'`)).toBe(0);
  expect(await audits()).toEqual([{ ...BY, action: 'dead-letter.discard' }]);
  expect(await discardLetter(pool(), { ...BY, id: 999_999 })).toMatchObject({ code: 'NOT_FOUND' });
});
