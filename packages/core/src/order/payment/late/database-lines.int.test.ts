import { afterAll, beforeAll, expect, test } from 'vitest';
import { switchGateMode } from '../../../ledger/index.ts';
import { readStock } from '../payment-desk.testing.ts';
import { type LateMoneyDesk, openLateMoneyDesk } from './late-money-desk.testing.ts';

let desk: LateMoneyDesk;
beforeAll(async () => {
  desk = await openLateMoneyDesk('late_database');
});
afterAll(() => desk.close());

async function stockInLedger(skuId: string, units: number): Promise<void> {
  await desk.stock(skuId, units);
  await switchGateMode(
    { pool: desk.pool, waker: desk.deps.waker },
    { shopId: 'S1', skuId, to: 'DATABASE', actor: 'test', reason: 'ordinary goods' },
  );
  await desk.gatekeeper.runOnce();
}

test('a mixed order is revived whole, or its money goes back when one kind is gone', async () => {
  await Promise.all([stockInLedger('mixed-l', 2), desk.stock('mixed-g', 3)]);
  const mixed = [
    { skuId: 'mixed-l', quantity: 1 },
    { skuId: 'mixed-g', quantity: 1 },
  ];
  const [a, b] = [await desk.place(mixed), await desk.place(mixed)];
  await desk.runOutOfTime(a);
  await desk.notify(a);
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await desk.books(a)).toMatchObject({ trade: 'PAID' });
  await desk.runOutOfTime(b);
  await desk.place([{ skuId: 'mixed-l', quantity: 1 }]);
  await desk.notify(b);
  expect(await desk.runJob()).toMatchObject({ revived: 0, failed: 0 });
  expect(await desk.books(b)).toMatchObject({ trade: 'CLOSED', late: ['LATE REFUND_DUE'] });
  expect(await desk.atGate('mixed-g')).toEqual({ deducted: 1, holds: 0 });
  expect(await readStock(desk.pool, 'mixed-l')).toEqual({ total: 1, reserved: 1, confirmed: 1 });
});

test('a SKU that went from the gate to the ledger meanwhile is revived where it is sold now', async () => {
  await desk.stock('moved', 1);
  const a = await desk.place([{ skuId: 'moved', quantity: 1 }]);
  await desk.runOutOfTime(a);
  await desk.notify(a);
  await switchGateMode(
    { pool: desk.pool, waker: desk.deps.waker },
    { shopId: 'S1', skuId: 'moved', to: 'DATABASE', actor: 'test', reason: 'moved' },
  );
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await desk.books(a)).toMatchObject({ trade: 'PAID', late: ['LATE REVIVED'] });
});

test('an order of goods that the ledger sells is revived without the gate, also while it is closed', async () => {
  await stockInLedger('plain', 1);
  const a = await desk.place([{ skuId: 'plain', quantity: 1 }]);
  await desk.runOutOfTime(a);
  await desk.notify(a);
  await desk.server.kill();
  expect(await desk.runJob()).toMatchObject({ revived: 1 });
  expect(await desk.books(a)).toMatchObject({ trade: 'PAID', late: ['LATE REVIVED'] });
  expect(await readStock(desk.pool, 'plain')).toEqual({ total: 0, reserved: 0, confirmed: 1 });
  await desk.server.start('empty');
});
