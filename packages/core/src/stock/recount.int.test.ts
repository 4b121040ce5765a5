import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { openTestStock, type TestStock } from './stock-desk.testing.ts';

let shop: TestStock;
beforeAll(async () => {
  shop = await openTestStock('recount');
});
afterAll(async () => {
  await shop.settle();
  const broken = await checkInvariants(shop);
  await shop.close();
  expect(broken).toEqual([]);
});

async function sell(skuId: string, units: number): Promise<void> {
  const { tradeId } = await shop.placed(skuId, units);
  await shop.settle();
  await shop.paid(tradeId);
  await shop.settle();
}

test('C08 – A stock change by hand is a difference against a known version', async () => {
  await shop.stock('K1', 100);
  await sell('K1', 20);
  await shop.placed('K1', 30);
  await shop.settle();
  const form = await shop.figures('K1');
  expect(form).toMatchObject({ total: 80, reserved: 30, confirmed: 20 });
  await sell('K1', 10);

  expect(await shop.recount('K1', 90, form.version)).toMatchObject({ code: 'STALE_VERSION' });
  expect(await shop.figures('K1')).toMatchObject({ total: 70 });
  expect(await shop.look('K1')).toMatchObject({ total: 100, deducted: 60 });

  const fresh = await shop.figures('K1');
  expect(await shop.recount('K1', 10, fresh.version)).toMatchObject({ code: 'BELOW_HELD', lines: [{ left: 40 }] });
  expect(await shop.writeOff('K1', 50)).toMatchObject({ code: 'BELOW_HELD', lines: [{ wanted: 50, left: 40 }] });
  expect(await shop.figures('K1')).toEqual(fresh);

  const d1 = mint<'OperationId'>();
  expect(await shop.receive('K1', 5, { operationId: d1 })).toMatchObject({ kind: 'received', totalQuantity: 75 });
  expect(await shop.receive('K1', 5, { operationId: d1 })).toMatchObject({ kind: 'repeated' });
  await shop.settle();
  expect(await shop.figures('K1')).toMatchObject({ total: 75 });
  expect(await shop.look('K1')).toMatchObject({ total: 105, deducted: 60 });
});

test('C08 – Units that come in while 100 buyers order are sold once each', async () => {
  await shop.stock('K2', 40);
  const orders = Array.from({ length: 100 }, () => shop.order([{ skuId: 'K2', quantity: 1 }]));
  await shop.receive('K2', 20);
  await shop.gatekeeper.runOnce();
  const placed = (await Promise.all(orders)).filter((answer) => answer.kind === 'placed').length;
  await shop.settle();
  expect(placed).toBeLessThanOrEqual(60);
  expect(await shop.figures('K2')).toMatchObject({ total: 60, reserved: placed });
  expect(await shop.look('K2')).toMatchObject({ total: 60, deducted: placed });
});

test('A recount is booked upwards as a receipt, downwards as a write-off, once each, and not at all when it fits', async () => {
  await shop.stock('K3', 10);
  const up = { operationId: mint<'OperationId'>() };
  const { version } = await shop.figures('K3');
  expect(await shop.recount('K3', 12, version, up)).toEqual({ kind: 'changed', totalQuantity: 12 });
  expect(await shop.recount('K3', 12, version, up)).toEqual({ kind: 'repeated', totalQuantity: 12 });
  expect(await shop.recount('K3', 13, version, up)).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  const down = { operationId: mint<'OperationId'>() };
  const next = await shop.figures('K3');
  expect(await shop.recount('K3', 7, next.version, down)).toEqual({ kind: 'changed', totalQuantity: 7 });
  expect(await shop.recount('K3', 7, next.version, down)).toEqual({ kind: 'repeated', totalQuantity: 7 });
  const last = await shop.figures('K3');
  expect(await shop.recount('K3', 7, last.version)).toEqual({ kind: 'unchanged', totalQuantity: 7 });
  await shop.settle();
  expect(await shop.operations('K3')).toMatchObject([
    { kind: 'RECOUNT', quantity: 2 },
    { kind: 'RECOUNT', quantity: -5 },
  ]);
  expect(await shop.look('K3')).toMatchObject({ total: 12, deducted: 5 });
});

test('Two people who count from the same screen: one is booked, the other is told that the stock has moved', async () => {
  await shop.stock('K4', 10);
  const { version } = await shop.figures('K4');
  const answers = await Promise.all([shop.recount('K4', 8, version), shop.recount('K4', 13, version)]);
  expect(answers.filter((answer) => answer.kind === 'changed')).toHaveLength(1);
  expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'STALE_VERSION')).toHaveLength(1);
});
