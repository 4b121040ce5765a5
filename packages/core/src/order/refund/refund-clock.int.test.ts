import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { setClockOffset } from '../../testing/index.ts';
import { openRefundDesk, type RefundDesk } from './refund-desk.testing.ts';
import { refundOrder } from './refund-order.ts';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await openRefundDesk('refund_clock');
});
afterAll(() => desk.close());

test('A refund asked for while the clock was three hours ahead does not wait until then', async () => {
  const trade = await desk.paid();
  await setClockOffset(desk.pool, 3 * 3_600_000);
  const wish = { kind: 'rest', units: 'NO_RESTOCK' } as const;
  const asked = await refundOrder(desk.deps, {
    tradeId: trade.tradeId,
    wish,
    idempotencyKey: mint<'key'>(),
    by: desk.operator,
  });
  expect(asked).toMatchObject({ kind: 'refunded' });
  await setClockOffset(desk.pool, 0);
  expect(await desk.send()).toMatchObject({ changed: 1 });
  expect(await desk.send()).toMatchObject({ scanned: 0 });
});
