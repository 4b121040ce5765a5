import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../../domain/index.ts';
import { deliverEvents } from '../../../testing/deliver-events.ts';
import { endByTime } from '../../end-by-time.ts';
import { makeCoupon, placeWithCoupon, readCoupon, readLocks } from '../../promotion/coupon-desk.testing.ts';
import { setPayUntil } from '../payment-desk.testing.ts';
import { type LateMoneyDesk, openLateMoneyDesk, type PlacedOrder } from './late-money-desk.testing.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('late_coupon');
  await desk.stock('thing', 100);
});
afterAll(() => desk.close());

async function order(coupon: string): Promise<PlacedOrder> {
  const trade = await placeWithCoupon(desk, { lines: [{ skuId: 'thing', quantity: 1 }], coupon });
  await deliverEvents(desk.pool);
  const { rows } = await desk.pool.query<{ id: string }>(
    'SELECT id FROM tinystore_order.payment_intent WHERE trade_id = $1',
    [trade.tradeId],
  );
  return { ...trade, intentId: rows[0]?.id ?? '' };
}
const lockOf = async ({ tradeId }: PlacedOrder) => (await readLocks(desk.pool, [tradeId]))[0];

test('P28 – an order that is revived takes the use of its coupon again: paying late frees no use', async () => {
  await makeCoupon(desk.pool, { code: 'LATE1', kind: 'PERCENT', value: 50, usageLimit: 1 });
  const late = await order('LATE1');
  await desk.runOutOfTime(late);
  expect(await readCoupon(desk.pool, 'LATE1')).toBe(0);
  await desk.notify(late);
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await desk.books(late)).toMatchObject({ trade: 'PAID' });
  expect([await lockOf(late), await readCoupon(desk.pool, 'LATE1')]).toEqual(['COMMITTED', 1]);
  expect(await desk.order([{ skuId: 'thing', quantity: 1 }], { coupon: 'LATE1' })).toMatchObject({
    code: 'COUPON_REFUSED',
  });
});

test('P28 – when somebody else has used the coupon meanwhile, the late money goes back and its units too', async () => {
  await makeCoupon(desk.pool, { code: 'LATE2', kind: 'PERCENT', value: 50, usageLimit: 1 });
  const late = await order('LATE2');
  await desk.runOutOfTime(late);
  const other = await order('LATE2');
  const before = await desk.atGate('thing');
  await desk.notify(late);
  expect(await desk.runJob()).toMatchObject({ revived: 0, failed: 0 });
  expect(await desk.books(late)).toMatchObject({ trade: 'CLOSED', late: ['LATE REFUND_DUE'] });
  expect([await lockOf(late), await lockOf(other), await readCoupon(desk.pool, 'LATE2')]).toEqual([
    'RELEASED',
    'LOCKED',
    1,
  ]);
  expect(await desk.atGate('thing')).toEqual(before);
});

test('P28 – an order that is revived before its end was told keeps the use that it never gave back', async () => {
  await makeCoupon(desk.pool, { code: 'LATE3', kind: 'PERCENT', value: 50, usageLimit: 1 });
  const late = await order('LATE3');
  await setPayUntil(desk.pool, late.tradeId, -1);
  await endByTime(desk.deps, { limit: 100 });
  await desk.gatekeeper.runOnce();
  await desk.notify(late, { id: `evt_${mint()}` });
  // Effects only: the consumers have not heard of the end yet. runJob delivers what is waiting afterwards.
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  await desk.settle();
  expect(await desk.books(late)).toMatchObject({ trade: 'PAID' });
  expect([await lockOf(late), await readCoupon(desk.pool, 'LATE3')]).toEqual(['COMMITTED', 1]);
});
