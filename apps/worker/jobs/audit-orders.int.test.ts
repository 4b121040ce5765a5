import { INVENTORY_TOPIC, ORDER_TOPIC } from '@holdfast/core/domain';
import { askAgain } from '@holdfast/core/order';
import { silentLog } from '@holdfast/core/platform';
import { auditOrders } from '@holdfast/core/reconcile';
import { ensureTopics } from '@holdfast/core/stream';
import { checkInvariants, setClockOffset, until } from '@holdfast/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONSUMERS } from '../consumers/register.ts';
import { type OrderChain, openOrderChain } from '../order-chain.testing.ts';

let chain: OrderChain;
let mayBreak: boolean;
beforeEach(async () => {
  mayBreak = false;
  chain = await openOrderChain('audit', process.env.KAFKA_BROKERS);
  await chain.shop.stock('K1', 100);
});
afterEach(() => chain.close({ mayBreak }));

const audit = () =>
  auditOrders(
    { pool: chain.shop.pool, stream: chain.stream, log: silentLog, readers: CONSUMERS },
    { resumeAfter: 0, checkedUpTo: null },
  );
const later = (minutes: number) => setClockOffset(chain.shop.pool, minutes * 60_000);
const allSent = () => until('all is sent', async () => (await chain.count('tinystore_order.outbox_pending')) === 0);
const placeTwenty = async () => {
  for (let n = 0; n < 20; n++) await chain.place();
};
/** What retention does to messages nobody has read. */
async function emptyTopics(): Promise<void> {
  const admin = chain.stream.kafka.admin();
  await admin.connect();
  for (const topic of [ORDER_TOPIC, INVENTORY_TOPIC].map((name) => `${chain.stream.prefix}${name}`)) {
    const partitions = (await admin.fetchTopicOffsets(topic)).map(({ partition, high }) => ({
      partition,
      offset: high,
    }));
    await admin.deleteTopicRecords({ topic, partitions });
  }
  await admin.disconnect();
}
async function expectTwentyRecorded(): Promise<void> {
  await until('20 reservations', async () => (await chain.count('tinystore_inventory.inventory_reservation')) === 20);
  await chain.settled();
  expect(await chain.count('tinystore_inventory.dead_letter')).toBe(0);
  expect((await chain.shop.gate.read([{ shopId: 'S1', skuId: 'K1' }]))[0]).toMatchObject({ deducted: 20 });
  expect(await checkInvariants({ pool: chain.shop.pool, gate: chain.shop.gate })).toEqual([]);
}

test('C24 – Events whose messages are gone before anybody read them are sent again under their ids, once', async () => {
  await placeTwenty();
  chain.startRelay();
  await allSent();
  await emptyTopics();
  await chain.startConsumers();
  await later(2);
  expect(await audit()).toMatchObject({ sentAgain: 20, withoutEvents: 0 });
  await expectTwentyRecorded();
  await later(4);
  expect(await audit()).toMatchObject({ sentAgain: 0, onTheWay: 0 });
});

test('C24 – A topic that was deleted and made again while consumers run hides no gap and repeats no effect', async () => {
  await chain.startConsumers();
  chain.startRelay();
  for (let n = 0; n < 10; n++) await chain.place();
  await until(
    '10 are recorded',
    async () => (await chain.count(`tinystore_order.shop_order WHERE status = 'RESERVED'`)) === 10,
  );
  await chain.stopConsumers();
  for (let n = 0; n < 10; n++) await chain.place();
  await allSent();
  const admin = chain.stream.kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [`${chain.stream.prefix}${ORDER_TOPIC}`] });
  await admin.disconnect();
  await until('the topic is made again', () =>
    ensureTopics(chain.stream).then(
      () => true,
      () => false,
    ),
  );
  await chain.startConsumers();
  await later(2);
  await until(
    'the gap is found and filled',
    async () => {
      await audit();
      return (await chain.count('tinystore_inventory.inventory_reservation')) === 20;
    },
    40_000,
  );
  await expectTwentyRecorded();
}, 120_000);

test('P34 – What a consumer has not reached yet is on its way and is not sent again', async () => {
  await placeTwenty();
  chain.startRelay();
  await allSent();
  await later(2);
  const found = await audit();
  expect(found).toMatchObject({ sentAgain: 0 });
  expect(found.onTheWay).toBeGreaterThanOrEqual(20);
  await chain.startConsumers();
  await expectTwentyRecorded();
});

test('An order that stands still becomes an incident; asking again moves it on, and the incident closes by itself', async () => {
  await chain.startConsumers();
  chain.startRelay();
  await chain.place();
  await until(
    'it is recorded',
    async () => (await chain.count(`tinystore_order.shop_order WHERE status = 'RESERVED'`)) === 1,
  );
  const { rows } = await chain.shop.pool.query<{ id: string }>(
    `UPDATE tinystore_order.shop_order SET status = 'RESERVING' RETURNING id`,
  );
  const shopOrderId = rows[0]?.id ?? '';
  await later(2);
  expect(await audit()).toMatchObject({ stuck: 0 });
  await later(8);
  expect(await audit()).toMatchObject({ stuck: 1 });
  expect(await audit()).toMatchObject({ stuck: 0, closed: 0 });
  expect(
    await chain.count(`ops.incident WHERE kind = 'ORDER_STUCK' AND status = 'OPEN' AND subject = '${shopOrderId}'`),
  ).toBe(1);
  const asked = await askAgain(chain.shop.pool, { shopOrderId, actor: 'ada@shop.example', reason: 'stuck' });
  expect(asked).toEqual({ kind: 'asked', event: 'INVENTORY_RESERVED' });
  await chain.settled();
  expect(await audit()).toMatchObject({ stuck: 0, closed: 1 });
  expect(await askAgain(chain.shop.pool, { shopOrderId, actor: 'ada', reason: 'again' })).toMatchObject({
    code: 'WRONG_STATE',
  });
  expect(await checkInvariants({ pool: chain.shop.pool, gate: chain.shop.gate })).toEqual([]);
});

test('C36 – An order without its outbox rows is reported, and the report closes when the order is closed', async () => {
  mayBreak = true;
  const { tradeId, buyerId } = await chain.place();
  await chain.place();
  await chain.shop.pool.query(
    `WITH gone AS (DELETE FROM tinystore_order.outbox_event WHERE type = 'INVENTORY_RESERVE_DB' AND payload->>'tradeId' = $1 RETURNING id)
     DELETE FROM tinystore_order.outbox_pending p USING gone WHERE p.id = gone.id`,
    [tradeId],
  );
  await later(2);
  expect(await audit()).toMatchObject({ withoutEvents: 1 });
  const { rows } = await chain.shop.pool.query(
    `SELECT subject, detail->'missing' AS missing, status FROM ops.incident`,
  );
  expect(rows).toEqual([{ subject: tradeId, missing: ['INVENTORY_RESERVE_DB'], status: 'OPEN' }]);
  await chain.cancel({ tradeId, buyerId });
  await audit();
  expect(await chain.count(`ops.incident WHERE status = 'OPEN'`)).toBe(0);
});
