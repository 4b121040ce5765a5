import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { setClockOffset } from '../../testing/clock.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { readBooks } from '../payment/payment-desk.testing.ts';
import { openRefundDesk, type RefundDesk, type SoldTrade } from '../refund/refund-desk.testing.ts';
import { refundOrder } from '../refund/refund-order.ts';
import { autoReceive } from './auto-receive.ts';
import { receiveOrder } from './receive-order.ts';
import { shipOrder } from './ship-order.ts';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await openRefundDesk('shipping');
});
afterAll(() => desk.close());

const SEVEN_DAYS = 604_800;
const ship = (shopOrderId = '') => shipOrder(desk.deps, { shopOrderId, carrier: 'Gull', by: { name: 'otto' } });
const receive = ({ buyerId }: SoldTrade, shopOrderId = '') => receiveOrder(desk.deps, { shopOrderId, buyerId });
const refundAll = ({ tradeId }: SoldTrade, shopOrderId?: string) =>
  refundOrder(desk.deps, {
    tradeId,
    wish: { kind: 'rest', units: 'RESTOCK', shopOrderId },
    idempotencyKey: mint<'key'>(),
    by: desk.operator,
  });
const books = ({ tradeId }: SoldTrade) => readBooks(desk.pool, tradeId);
const receiveByTime = () => autoReceive(desk.deps, { afterSeconds: SEVEN_DAYS, limit: 1000 });

async function countEvents({ tradeId }: SoldTrade, type: string): Promise<number> {
  const { rowCount } = await desk.pool.query(
    'SELECT 1 FROM tinystore_order.outbox_event WHERE key = $1 AND type = $2',
    [tradeId, type],
  );
  return rowCount ?? 0;
}

test('a paid order is shipped and received, each once, however often it is said', async () => {
  const trade = await desk.paid();
  const [id] = trade.shopOrderIds;
  expect(await receive(trade, id)).toMatchObject({ code: 'WRONG_STATE' });
  expect(await Promise.all([ship(id), ship(id), ship(id)])).toEqual(Array(3).fill({ kind: 'shipped' }));
  expect(await books(trade)).toMatchObject({ trade: 'SHIPPED', shopOrders: ['SHIPPED'] });
  expect(await Promise.all([receive(trade, id), receive(trade, id)])).toEqual(Array(2).fill({ kind: 'received' }));
  expect(await books(trade)).toMatchObject({ trade: 'RECEIVED', shopOrders: ['RECEIVED'] });
  expect(await ship(id)).toEqual({ kind: 'shipped' });
  expect([await countEvents(trade, 'ORDER_SHIPPED'), await countEvents(trade, 'ORDER_RECEIVED')]).toEqual([1, 1]);
});

test('only a paid order can be shipped, and only its buyer says that it has arrived', async () => {
  const unpaid = await desk.trade();
  const idOf = async () =>
    (await desk.pool.query('SELECT id FROM tinystore_order.shop_order WHERE trade_id = $1', [unpaid.tradeId])).rows[0]
      .id;
  expect(await ship(await idOf())).toMatchObject({ code: 'WRONG_STATE' });
  await desk.notify(unpaid);
  expect(await ship(await idOf())).toMatchObject({ code: 'WRONG_STATE' });
  await deliverEvents(desk.pool);
  expect(await ship(await idOf())).toEqual({ kind: 'shipped' });
  expect(await receiveOrder(desk.deps, { shopOrderId: await idOf(), buyerId: mint() })).toMatchObject({
    code: 'NOT_FOUND',
  });
  expect(await ship(mint())).toMatchObject({ code: 'NOT_FOUND' });
});

test('what is being refunded in full is not shipped', async () => {
  const trade = await desk.paid();
  await refundAll(trade);
  expect(await ship(trade.shopOrderIds[0])).toMatchObject({ code: 'WRONG_STATE' });
  await desk.send();
  expect(await ship(trade.shopOrderIds[0])).toMatchObject({ code: 'WRONG_STATE' });
  expect(await books(trade)).toMatchObject({ trade: 'REFUNDED' });
});

describe('P29 – A trade follows its shop orders', () => {
  test('three shops: SHIPPED with the last parcel, RECEIVED with the last arrival', async () => {
    const trade = await desk.paid({ shops: ['S1', 'S2', 'S3'] });
    const [a, b, c] = trade.shopOrderIds;
    await ship(a);
    await receive(trade, a);
    await ship(b);
    expect(await books(trade)).toMatchObject({ trade: 'PAID', shopOrders: ['RECEIVED', 'SHIPPED', 'CONFIRMED'] });
    await ship(c);
    expect(await books(trade)).toMatchObject({ trade: 'SHIPPED' });
    await receive(trade, c);
    expect(await books(trade)).toMatchObject({ trade: 'SHIPPED' });
    await receive(trade, b);
    expect(await books(trade)).toMatchObject({ trade: 'RECEIVED' });
  });

  test('the refund of the shop order that held it back moves the trade on, by one step or by two', async () => {
    const shipped = await desk.paid({ shops: ['S1', 'S2'] });
    await ship(shipped.shopOrderIds[0]);
    const arrived = await desk.paid({ shops: ['S1', 'S2'] });
    await ship(arrived.shopOrderIds[0]);
    await receive(arrived, arrived.shopOrderIds[0]);
    for (const trade of [shipped, arrived]) await refundAll(trade, trade.shopOrderIds[1]);
    expect(await books(arrived)).toMatchObject({ trade: 'PAID' });
    await desk.send();
    expect(await books(shipped)).toMatchObject({ trade: 'SHIPPED', shopOrders: ['SHIPPED', 'REFUNDED'] });
    expect(await books(arrived)).toMatchObject({ trade: 'RECEIVED', shopOrders: ['RECEIVED', 'REFUNDED'] });
  });

  test('shipping, arrival and refund of its shop orders at once leave the trade where they are', async () => {
    for (let round = 0; round < 10; round++) {
      const trade = await desk.paid({ shops: ['S1', 'S2', 'S3'] });
      const [a, b, c] = trade.shopOrderIds;
      await Promise.all([ship(a), ship(b), refundAll(trade, c)]);
      await Promise.all([receive(trade, a), desk.send(), receive(trade, b)]);
      await desk.send();
      expect(await books(trade)).toMatchObject({ trade: 'RECEIVED', shopOrders: ['RECEIVED', 'RECEIVED', 'REFUNDED'] });
    }
  });
});

test('after seven days a shipped order counts as received, not a second earlier, and once', async () => {
  const [early, late] = [await desk.paid({ shops: ['S1', 'S2'] }), await desk.paid()];
  for (const id of [...early.shopOrderIds, ...late.shopOrderIds]) await ship(id);
  await receive(early, early.shopOrderIds[0]);
  try {
    await setClockOffset(desk.pool, (SEVEN_DAYS - 60) * 1000);
    expect(await receiveByTime()).toMatchObject({ changed: 0, failed: 0 });
    expect([(await books(early)).trade, (await books(late)).trade]).toEqual(['SHIPPED', 'SHIPPED']);
    await setClockOffset(desk.pool, (SEVEN_DAYS + 60) * 1000);
    await Promise.all(Array.from({ length: 4 }, receiveByTime));
    await receiveByTime();
    expect([(await books(early)).trade, (await books(late)).trade]).toEqual(['RECEIVED', 'RECEIVED']);
    expect([await countEvents(early, 'ORDER_RECEIVED'), await countEvents(late, 'ORDER_RECEIVED')]).toEqual([2, 1]);
    expect(await receiveByTime()).toEqual({ scanned: 0, changed: 0, failed: 0 });
  } finally {
    await setClockOffset(desk.pool, 0);
  }
});
