import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../../platform/index.ts';
import { setClockOffset } from '../../../testing/index.ts';
import { type LateMoneyDesk, openLateMoneyDesk } from './late-money-desk.testing.ts';
import { claimDue } from './late-rows.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('late_clock');
});
afterAll(() => desk.close());

test('P28 – late money that came while the clock was 20 minutes ahead does not wait until then', async () => {
  await desk.stock('item', 10);
  const order = await desk.place([{ skuId: 'item', quantity: 1 }]);
  await desk.runOutOfTime(order);
  await setClockOffset(desk.pool, 20 * 60_000);
  await desk.notify(order);
  await setClockOffset(desk.pool, 0);
  expect(await claimDue(desk.pool, 10)).toMatchObject([{ tradeId: order.tradeId }]);
  expect(await claimDue(desk.pool, 10)).toEqual([]);
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
});

test('P19 – a claim that began a moment earlier does not take what another has just claimed', async () => {
  await desk.stock('twice', 10);
  const order = await desk.place([{ skuId: 'twice', quantity: 1 }]);
  await desk.runOutOfTime(order);
  await desk.notify(order);
  await inTransaction(desk.pool, async (earlier) => {
    await earlier.query('SELECT 1');
    expect(await claimDue(desk.pool, 10)).toMatchObject([{ tradeId: order.tradeId }]);
    expect(await claimDue(earlier, 10)).toEqual([]);
  });
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
});
