import { endByTime } from '@holdfast/core/order';
import { silentLog } from '@holdfast/core/platform';
import type { OutgoingMessage, Producer } from '@holdfast/core/stream';
import { checkInvariants, setClockOffset, until } from '@holdfast/core/testing';
import { afterEach, expect, test } from 'vitest';
import { type OrderChain, openOrderChain } from '../order-chain.testing.ts';

let chain: OrderChain;
afterEach(() => chain.close());

const expectSound = async () =>
  expect(await checkInvariants({ pool: chain.shop.pool, gate: chain.shop.gate })).toEqual([]);
/** Every new row of this SKU is refused by the database. */
const plantFault = async (skuId: string) => {
  await chain.shop.pool.query(
    `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF NEW.sku_id = '${skuId}' AND NEW.status = 'PRE_DEDUCTED' THEN RAISE EXCEPTION 'planted' USING ERRCODE = '22012'; END IF; RETURN NEW; END $$`,
  );
  await chain.shop.pool.query(
    'CREATE TRIGGER planted BEFORE INSERT ON tinystore_inventory.inventory_reservation FOR EACH ROW EXECUTE FUNCTION planted()',
  );
};
const mendFault = () => chain.shop.pool.query('DROP TRIGGER planted ON tinystore_inventory.inventory_reservation');
const letters = async () =>
  (
    await chain.shop.pool.query<{ type: string; status: string; endedBy: string | null }>(
      'SELECT type, status, ended_by AS "endedBy" FROM tinystore_inventory.dead_letter ORDER BY id',
    )
  ).rows;

test('P33 – A RESERVE that was given up while its order ended by time ends right: tombstone, units free, letter and incident closed', async () => {
  chain = await openOrderChain('dead-reserve', process.env.KAFKA_BROKERS);
  await chain.shop.stock('K1', 10);
  await chain.shop.stock('K2', 10);
  await plantFault('K1');
  chain.startRelay();
  await chain.startConsumers();
  await chain.place(2);
  await chain.place(1, 'K2');
  await until(
    'the other order is recorded',
    async () => (await chain.count(`tinystore_order.shop_order WHERE status = 'RESERVED'`)) === 1,
  );
  await until('the first is given up', async () => {
    await chain.retry();
    return (await letters()).some((letter) => letter.status === 'DEAD');
  });
  expect(await chain.count(`ops.incident WHERE kind = 'DEAD_LETTER' AND status = 'OPEN'`)).toBe(1);
  await setClockOffset(chain.shop.pool, 20 * 60_000);
  const { ended } = await endByTime(
    { pool: chain.shop.pool, log: silentLog, waker: { wake: () => undefined } },
    { limit: 10 },
  );
  expect(ended).toBe(2);
  await until('the letter is void', async () => (await letters())[0]?.status === 'RESOLVED');
  chain.shop.gatekeeper.wake('effects');
  await chain.shop.gatekeeper.runOnce();
  await chain.settled();
  expect((await letters())[0]?.endedBy).toMatch(/^INVENTORY_RELEASE /);
  expect(await chain.count(`ops.incident WHERE status = 'OPEN'`)).toBe(0);
  expect(await chain.count(`tinystore_order.shop_order WHERE status = 'RELEASED'`)).toBe(2);
  expect((await chain.shop.gate.read([{ shopId: 'S1', skuId: 'K1' }]))[0]).toMatchObject({ deducted: 0, holdCount: 0 });
  await mendFault();
  await expectSound();
});

test('C33 – A CONFIRM waits behind its failing RESERVE, and both are handled in their order once the cause is mended', async () => {
  chain = await openOrderChain('parked-confirm', process.env.KAFKA_BROKERS);
  await chain.shop.stock('K1', 10);
  const order = await chain.place(1);
  // Payment records the row itself (P26), so it is the repeat of the RESERVE that fails here.
  await chain.pay(order);
  await chain.shop.pool.query(
    `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF NEW.consumer = 'ledger' AND EXISTS (SELECT FROM tinystore_order.outbox_event e WHERE e.event_id = NEW.event_id
        AND e.type = 'INVENTORY_RESERVE_DB') THEN RAISE EXCEPTION 'planted' USING ERRCODE = '22012'; END IF; RETURN NEW; END $$`,
  );
  await chain.shop.pool.query(
    'CREATE TRIGGER planted BEFORE INSERT ON tinystore_inventory.inbox_event FOR EACH ROW EXECUTE FUNCTION planted()',
  );
  chain.startRelay();
  await chain.startConsumers();
  await until('both are kept', async () => (await letters()).length === 2);
  expect((await letters()).map(({ type }) => type)).toEqual(['INVENTORY_RESERVE_DB', 'INVENTORY_CONFIRM']);
  expect((await letters())[1]?.status).toBe('PARKED');
  expect(await chain.count(`tinystore_order.trade WHERE status = 'PAID'`)).toBe(0);
  await chain.shop.pool.query('DROP TRIGGER planted ON tinystore_inventory.inbox_event');
  chain.shop.gatekeeper.start();
  await chain.settled();
  expect(await chain.count(`tinystore_order.trade WHERE status = 'PAID'`)).toBe(1);
  await expectSound();
});

/** The messages of a send, each key's RELEASE first, every message twice, the keys shuffled; places are those of the first copies. */
function disturb(producer: Producer): Producer {
  return {
    ...producer,
    async send(messages) {
      const byKey = [...Map.groupBy(messages, (message) => message.key).values()];
      const shuffled = byKey.map((own) => own.toSorted(releaseFirst)).toSorted((a, b) => hash(a) - hash(b));
      const sent = shuffled.flat().flatMap((message) => [message, message]);
      const placed = await producer.send(sent);
      return messages.map((message) => {
        const place = placed[sent.indexOf(message)];
        if (!place) throw new Error('a message was not sent');
        return place;
      });
    },
  };
}
const releaseFirst = (a: OutgoingMessage, b: OutgoingMessage) =>
  Number(b.type === 'INVENTORY_RELEASE') - Number(a.type === 'INVENTORY_RELEASE');
const hash = ([message]: readonly OutgoingMessage[]) => Number.parseInt(message?.key.slice(-6) ?? '0', 16);

test('RELEASE before RESERVE, every message twice and the keys shuffled lead to the same end as the ordered run', async () => {
  const ends: unknown[] = [];
  for (const around of [(producer: Producer) => producer, disturb]) {
    chain = await openOrderChain('disturbed', process.env.KAFKA_BROKERS, around);
    await chain.shop.stock('K1', 100);
    const orders = [];
    for (let n = 0; n < 30; n++) orders.push(await chain.place(1 + (n % 3)));
    for (const [n, order] of orders.entries())
      if (n % 3 === 0) expect(await chain.cancel(order)).toMatchObject({ kind: 'closed' });
      else if (n % 3 === 1) await chain.pay(order);
    chain.shop.gatekeeper.start();
    await chain.startConsumers();
    chain.startRelay();
    await until('nothing is under way', async () => (await chain.count(`tinystore_order.outbox_pending`)) === 0);
    await chain.settled();
    const { rows } = await chain.shop.pool.query(
      `SELECT (SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n FROM tinystore_order.trade GROUP BY 1) t) AS trades,
         (SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n FROM tinystore_order.shop_order GROUP BY 1) s) AS orders,
         (SELECT jsonb_object_agg(status, n) FROM (SELECT status, count(*) AS n FROM tinystore_inventory.inventory_reservation GROUP BY 1) r) AS rows,
         (SELECT jsonb_agg(jsonb_build_array(total_quantity, reserved_quantity, confirmed_quantity)) FROM tinystore_inventory.inventory_stock) AS stock,
         (SELECT count(*) FROM tinystore_inventory.stock_movement) AS movements,
         (SELECT sum(open_orders) FROM tinystore_order.buyer_limit) AS open,
         (SELECT count(*) FROM tinystore_inventory.dead_letter) AS letters`,
    );
    ends.push({
      ...rows[0],
      gate: await chain.shop.gate
        .read([{ shopId: 'S1', skuId: 'K1' }])
        .then(([r]) => r?.kind === 'read' && [r.total, r.deducted, r.holdCount]),
    });
    await expectSound();
    if (around !== disturb) await chain.close();
  }
  expect(ends[1]).toEqual(ends[0]);
  expect(ends[0]).toMatchObject({ trades: { PAID: 10, CLOSED: 10, UNPAID: 10 }, letters: 0 });
}, 120_000);
