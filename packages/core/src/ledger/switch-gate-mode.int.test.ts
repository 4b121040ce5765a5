import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { createPlaceOrderDeps, endByTime, placeOrder } from '../order/index.ts';
import { silentLog } from '../platform/index.ts';
import { checkShop } from '../testing/check-shop.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { PATIENT } from '../testing/test-config.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { finishSwitches, type SwitchStopPoint, switchGateMode } from './index.ts';

const waker = { wake: () => undefined };

async function switchTo(shop: TestShop, skuId: string, to: 'REDIS' | 'DATABASE', stopAt?: SwitchStopPoint) {
  const stop = (point: SwitchStopPoint) =>
    point === stopAt ? Promise.reject(new Error(`died at ${point}`)) : Promise.resolve();
  return switchGateMode(
    { pool: shop.pool, waker, stopAt: stop },
    { shopId: 'S1', skuId, to, actor: 'test', reason: 'for the test' },
  );
}

async function stockOf(shop: TestShop, skuId: string) {
  const { rows } = await shop.pool.query<{ mode: string; reserved: number; generation: number }>(
    'SELECT gate_mode AS mode, reserved_quantity AS reserved, generation FROM tinystore_inventory.inventory_stock WHERE sku_id = $1',
    [skuId],
  );
  return rows[0];
}

describe('switching a SKU between gate and ledger', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('switch-mode', PATIENT);
  });
  afterAll(async () => shop.close());

  it('P20 – To the ledger records what the gate has admitted, though its events have not arrived', async () => {
    await shop.stock('flight', 10);
    await Promise.all(Array.from({ length: 6 }, () => shop.order([{ skuId: 'flight', quantity: 1 }])));
    expect(await stockOf(shop, 'flight')).toMatchObject({ mode: 'REDIS', reserved: 0 });
    expect(await switchTo(shop, 'flight', 'DATABASE')).toEqual({ kind: 'switched', mode: 'DATABASE' });
    expect(await stockOf(shop, 'flight')).toMatchObject({ mode: 'DATABASE', reserved: 6 });
    expect(await shop.order([{ skuId: 'flight', quantity: 5 }])).toMatchObject({ lines: [{ left: 4 }] });
    expect(await switchTo(shop, 'flight', 'DATABASE')).toEqual({ kind: 'already', mode: 'DATABASE' });
    expect(await switchTo(shop, 'flight', 'REDIS')).toEqual({ kind: 'switched', mode: 'REDIS' });
    await shop.gatekeeper.runOnce();
    expect((await shop.gate.read([{ shopId: 'S1', skuId: 'flight' }]))[0]).toMatchObject({
      total: 10,
      deducted: 6,
      holdCount: 6,
    });
    expect(await checkShop(shop)).toEqual([]);
  });

  it('P11 – Units taken before a switch cannot be committed after it; the order is made by the new rule', async () => {
    await shop.stock('late', 5);
    const taken = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let first = true;
    const desk = createPlaceOrderDeps({
      ...shop.desk,
      stopAt: async (point) => {
        if (point !== 'order.before-commit' || !first) return;
        first = false;
        taken.resolve();
        await goOn.promise;
      },
    });
    const lines = [{ shopId: 'S1', skuId: 'late', quantity: 2, unitPriceMinor: 1999 }];
    const placing = placeOrder(desk, { key: mint<'key'>(), buyerId: mint<'BuyerId'>(), traceId: 'test', lines });
    await taken.promise;
    await switchTo(shop, 'late', 'DATABASE');
    goOn.resolve();
    expect(await placing).toMatchObject({ kind: 'placed' });
    const { rows } = await shop.pool.query(
      `SELECT gate_mode, epoch, generation FROM tinystore_order.order_line_hold WHERE sku_id = 'late'`,
    );
    expect(rows).toEqual([{ gate_mode: 'DATABASE', epoch: null, generation: null }]);
    expect(await stockOf(shop, 'late')).toMatchObject({ reserved: 2 });
    expect(await checkShop(shop)).toEqual([]);
  });

  for (const [point, mode] of [
    ['switch.begun', 'SWITCHING'],
    ['switch.recorded', 'SWITCHING'],
    ['switch.finished', 'DATABASE'],
  ] as const)
    it(`P20 – A switch that dies at ${point} sells nothing twice and is finished by the job`, async () => {
      const skuId = point.replace('.', '-');
      await shop.stock(skuId, 10);
      await Promise.all(Array.from({ length: 3 }, () => shop.order([{ skuId, quantity: 1 }])));
      await expect(switchTo(shop, skuId, 'DATABASE', point)).rejects.toThrow('died');
      expect(await stockOf(shop, skuId)).toMatchObject({ mode });
      const finish = () => finishSwitches({ pool: shop.pool, waker, log: silentLog }, { limit: 100 });
      const runs = await Promise.all([finish(), finish()]);
      expect(runs.flatMap((run) => run.failed)).toEqual([]);
      expect(await stockOf(shop, skuId)).toMatchObject({ mode: 'DATABASE', reserved: 3 });
      expect(await shop.order([{ skuId, quantity: 7 }])).toMatchObject({ kind: 'placed' });
      expect(await shop.order([{ skuId, quantity: 1 }])).toMatchObject({ code: 'SOLD_OUT' });
      expect(await checkShop(shop)).toEqual([]);
    });

  it('a switch back that dies after its step is done by the gatekeeper; an older removal leaves the new load alone', async () => {
    await shop.stock('back', 4);
    await switchTo(shop, 'back', 'DATABASE');
    await expect(switchTo(shop, 'back', 'REDIS', 'switch.begun')).rejects.toThrow('died');
    const { rows } = await shop.pool.query<{ kind: string }>(
      `SELECT kind FROM tinystore_inventory.gate_effect WHERE sku_id = 'back' AND status = 'PENDING' ORDER BY id`,
    );
    expect(rows.map((row) => row.kind)).toEqual(['REMOVE', 'INSTALL']);
    expect(await checkShop(shop)).toEqual([]);
    expect((await shop.gate.read([{ shopId: 'S1', skuId: 'back' }]))[0]).toMatchObject({ total: 4, deducted: 0 });
    expect(await shop.order([{ skuId: 'back', quantity: 4 }])).toMatchObject({ kind: 'placed' });
  });

  it('effects of a SKU that left the gate are done without Redis; who switched and why is on record', async () => {
    await shop.stock('gone', 3);
    const placed = await shop.order([{ skuId: 'gone', quantity: 1 }]);
    await deliverEvents(shop.pool);
    await switchTo(shop, 'gone', 'DATABASE');
    await shop.server.kill();
    await shop.pool.query(
      `UPDATE tinystore_order.trade SET pay_until = ops.clock_now() - interval '1 s' WHERE id = $1`,
      [placed.kind === 'placed' ? placed.tradeId : null],
    );
    await endByTime({ pool: shop.pool, waker, log: silentLog }, { limit: 10 });
    const pending = () =>
      shop.pool
        .query<{ kind: string }>(
          `SELECT kind FROM tinystore_inventory.gate_effect WHERE sku_id = 'gone' AND status = 'PENDING' ORDER BY id`,
        )
        .then(({ rows }) => rows.map((row) => row.kind));
    expect(await pending()).toEqual(['REMOVE', 'GIVE_BACK']);
    await shop.gatekeeper.runOnce();
    expect(await pending()).toEqual(['REMOVE']);
    await shop.server.start('kept');
    expect(await checkShop(shop)).toEqual([]);
    const { rows } = await shop.pool.query(
      `SELECT actor, reason, before ->> 'mode' AS before, after ->> 'mode' AS after 
       FROM ops.audit_log WHERE target = 'S1/gone' AND action = 'gate.switch-mode'`,
    );
    expect(rows).toEqual([{ actor: 'test', reason: 'for the test', before: 'REDIS', after: 'DATABASE' }]);
  });
});

describe('switching in the middle of a sale', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('switch-busy', PATIENT);
  });
  afterAll(async () => shop.close());

  it('P20 – Switched both ways while 400 orders run, a SKU is never oversold and both books agree', async () => {
    await shop.stock('busy', 300);
    shop.gatekeeper.start();
    const results = [];
    const modes: string[] = [];
    // Every wave of orders meets a switch, and every other one a load of the gate.
    for (let wave = 0; wave < 20; wave++) {
      const orders = Array.from({ length: 20 }, () => shop.order([{ skuId: 'busy', quantity: 1 }]));
      const outcome = await switchTo(shop, 'busy', wave % 2 === 0 ? 'DATABASE' : 'REDIS');
      shop.gatekeeper.wake('effects');
      if (outcome.kind === 'switched') modes.push(outcome.mode);
      results.push(...(await Promise.all(orders)));
    }
    expect(modes).toEqual(Array.from({ length: 20 }, (_, wave) => (wave % 2 === 0 ? 'DATABASE' : 'REDIS')));

    expect(results.filter((r) => r.kind === 'placed')).toHaveLength(300);
    expect(results.flatMap((r) => (r.kind === 'refused' ? [r.code] : []))).toEqual(
      Array.from({ length: 100 }, () => 'SOLD_OUT'),
    );
    expect(await checkShop(shop)).toEqual([]);
    expect(await stockOf(shop, 'busy')).toMatchObject({ reserved: 300 });
  });
});
