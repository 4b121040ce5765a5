import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_STOCK, mint } from '../domain/index.ts';
import { sweepGhostHolds } from '../reconcile/index.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { openTestStock, type TestStock } from './stock-desk.testing.ts';

let shop: TestStock;
beforeAll(async () => {
  shop = await openTestStock('write_off');
});
afterAll(async () => {
  await shop.settle();
  const broken = await checkInvariants(shop);
  await shop.close();
  expect(broken).toEqual([]);
});

test('Units written off are gone from both books, with who and why', async () => {
  await shop.stock('K1', 10);
  await shop.placed('K1', 3);
  expect(await shop.writeOff('K1', 4, { reason: 'water damage' })).toEqual({ kind: 'changed', totalQuantity: 6 });
  await shop.settle();
  expect(await shop.figures('K1')).toMatchObject({ total: 6, reserved: 3, confirmed: 4 });
  // T stays what it was: the units left by being taken.
  expect(await shop.look('K1')).toMatchObject({ total: 10, deducted: 7 });
  expect(await shop.operations('K1')).toEqual([
    { kind: 'WRITE_OFF', quantity: -4, actor: 'ada', reason: 'water damage' },
  ]);
  const { rows } = await shop.pool.query(
    `SELECT actor, action, reason, before, after FROM ops.audit_log WHERE target = 'S1/K1' AND actor = 'ada'`,
  );
  expect(rows).toMatchObject([
    {
      actor: 'ada',
      action: 'stock.write_off',
      reason: 'water damage',
      before: { totalQuantity: 10 },
      after: { totalQuantity: 6 },
    },
  ]);
});

test('More than is free is refused with the free number, and leaves nothing held', async () => {
  await shop.stock('K2', 10);
  await shop.placed('K2', 3);
  expect(await shop.writeOff('K2', 8)).toMatchObject({
    code: 'BELOW_HELD',
    lines: [{ shopId: 'S1', skuId: 'K2', wanted: 8, left: 7 }],
  });
  expect(await shop.look('K2')).toMatchObject({ total: 10, deducted: 3 });
  expect(await shop.figures('K2')).toMatchObject({ total: 10, confirmed: 0 });
  expect(await shop.writeOff('K2', 7)).toMatchObject({ kind: 'changed', totalQuantity: 3 });
});

test('P11 – Units taken for a write-off before a rebuild of the gate are taken anew', async () => {
  await shop.stock('fenced', 10);
  let rebuilt = false;
  const stopAt = async (point: string) => {
    if (point !== 'stock.after-take' || rebuilt) return;
    rebuilt = true;
    await shop.gatekeeper.rebuild();
  };
  expect(await shop.writeOff('fenced', 4, { stopAt })).toEqual({ kind: 'changed', totalQuantity: 6 });
  await shop.settle();
  await shop.gate.refresh();
  expect(await shop.look('fenced')).toEqual({ total: 10, deducted: 4, holds: [] });
});

test('A write-off that comes 20 times at once is booked once', async () => {
  await shop.stock('K3', 100);
  const operationId = mint<'OperationId'>();
  const answers = await Promise.all(Array.from({ length: 20 }, () => shop.writeOff('K3', 3, { operationId })));
  expect(answers.filter((answer) => answer.kind === 'changed')).toHaveLength(1);
  expect(answers.filter((answer) => answer.kind === 'repeated')).toHaveLength(19);
  expect(await shop.writeOff('K3', 4, { operationId })).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  await shop.settle();
  expect(await shop.look('K3')).toMatchObject({ total: 100, deducted: 3, holds: [] });
});

test('Orders and write-offs that race never have more units than there are', async () => {
  await shop.stock('K4', 60);
  const orders = Array.from({ length: 60 }, () => shop.order([{ skuId: 'K4', quantity: 1 }]));
  const offs = Array.from({ length: 10 }, () => shop.writeOff('K4', 4));
  const sold = (await Promise.all(orders)).filter((answer) => answer.kind === 'placed').length;
  const gone = (await Promise.all(offs)).filter((answer) => answer.kind === 'changed').length * 4;
  await shop.settle();
  expect(sold + gone).toBeLessThanOrEqual(60);
  expect(sold + gone).toBeGreaterThan(56);
  expect(await shop.figures('K4')).toMatchObject({ total: 60 - gone, reserved: sold, confirmed: gone });
  expect(await shop.look('K4')).toMatchObject({ total: 60, deducted: sold + gone });
});

test.each([
  [
    'the SKU was loaded anew',
    'UPDATE tinystore_inventory.inventory_stock SET generation = generation + 1 WHERE sku_id = $1',
  ],
  [
    'the hold was found abandoned',
    `INSERT INTO tinystore_inventory.abandoned_hold (reservation_id, shop_id, sku_id, quantity, cause)
     SELECT $2::uuid, 'S1', $1, 2, 'GHOST'`,
  ],
])('A take that %s between gate and ledger is not booked; it is taken anew', async (what, change) => {
  const skuId = what.includes('SKU') ? 'K5' : 'K6';
  await shop.stock(skuId, 10);
  let passes = 0;
  const answer = await shop.writeOff(skuId, 2, {
    async stopAt(point) {
      if (point !== 'stock.after-take' || passes++ > 0) return;
      const { holds } = await shop.look(skuId);
      await shop.pool.query(change, change.includes('$2') ? [skuId, holds[0]] : [skuId]);
      if (!change.includes('$2')) await reload(skuId);
    },
  });
  expect(answer).toEqual({ kind: 'changed', totalQuantity: 8 });
  expect(passes).toBeGreaterThan(1);
  await shop.settle();
  expect(await shop.look(skuId)).toMatchObject({ total: 10, deducted: 2, holds: [] });
});

/** Installs the SKU under a generation of its own, as repair does. */
async function reload(skuId: string) {
  await shop.pool.query(
    `INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('INSTALL', 'S1', $1)`,
    [skuId],
  );
  await shop.gatekeeper.runOnce();
}

test('A SKU in mode DATABASE is written off by the ledger alone', async () => {
  await shop.stock('K7', 10);
  await shop.pool.query(`UPDATE tinystore_inventory.inventory_stock SET gate_mode = 'DATABASE' WHERE sku_id = 'K7'`);
  expect(await shop.writeOff('K7', 11)).toMatchObject({ code: 'BELOW_HELD', lines: [{ left: 10 }] });
  expect(await shop.writeOff('K7', 6)).toEqual({ kind: 'changed', totalQuantity: 4 });
  expect(await shop.writeOff('K7', 5)).toMatchObject({ code: 'BELOW_HELD', lines: [{ left: 4 }] });
});

test('C50 – A stock change that is too large gives one field error that names the limit', async () => {
  await shop.stock('K8', 10);
  const { version } = await shop.figures('K8');
  for (const units of [MAX_STOCK + 1, 2 ** 53, 1e308, Number.NaN, -1, 1.5])
    for (const refused of [
      await shop.receive('K8', units),
      await shop.writeOff('K8', units),
      await shop.recount('K8', units, version),
    ]) {
      expect(refused).toMatchObject({ code: 'INVALID_INPUT', field: expect.stringMatching(/quantity|counted/) });
      expect(refused).toHaveProperty('message', expect.stringContaining(String(MAX_STOCK)));
    }
  expect(await shop.receive('K8', 2147483647)).toMatchObject({ kind: 'received', totalQuantity: 2147483657 });
  // The gate has not heard of them yet; the write-off waits for it.
  expect(await shop.writeOff('K8', 2147483648)).toMatchObject({ kind: 'changed', totalQuantity: 9 });
});

describe('C23 a write-off that dies on its way', () => {
  const program = new URL('../testing/write-off-once.ts', import.meta.url).pathname;
  const inProcess = (stop: string, wanted: object) =>
    promisify(execFile)(process.execPath, [
      program,
      shop.databaseUrl,
      shop.server.url,
      stop,
      JSON.stringify(wanted),
    ]).then(
      ({ stdout }) => JSON.parse(stdout) as { kind: string },
      (error: { signal?: string }) => ({ kind: `died by ${error.signal}` }),
    );

  test.each([
    ['stock.after-take', 10, 'changed'],
    ['stock.after-commit', 7, 'repeated'],
  ])('killed at %s: %d units are left, and sent again it is booked once', async (point, left, then) => {
    const skuId = point.replaceAll('.', '-');
    await shop.stock(skuId, 10);
    const wanted = {
      operationId: mint<'OperationId'>(),
      shopId: 'S1',
      skuId,
      quantity: 3,
      actor: 'ada',
      reason: 'lost',
    };
    expect(await inProcess(`${point}:kill`, wanted)).toEqual({ kind: 'died by SIGKILL' });
    expect(await shop.figures(skuId)).toMatchObject({ total: left });
    expect(await shop.look(skuId)).toMatchObject({ deducted: 3 });
    expect(await inProcess('', wanted)).toMatchObject({ kind: then, totalQuantity: 7 });
    await shop.ahead(61_000);
    await shop.gatekeeper.runOnce();
    await sweepGhostHolds(shop.sweep);
    await shop.ahead(0);
    expect(await shop.figures(skuId)).toMatchObject({ total: 7, confirmed: 3 });
    expect(await shop.look(skuId)).toMatchObject({ total: 10, deducted: 3, holds: [] });
  });
});
