/** Guards of the gate that another rule hides in everyday work: each is met here without the other. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { receiveStock } from '../ledger/index.ts';
import { PATIENT } from '../testing/test-config.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { installSku } from './gatekeeper/install-sku.ts';
import { markApplied } from './gatekeeper/mark-applied.ts';
import { type Hold, type SkuRef, skuKeys } from './index.ts';
import { memberOf } from './redis-gate.ts';
import { scriptsFor } from './scripts.ts';

describe('a load of one SKU', () => {
  let shop: TestShop;
  let sku: SkuRef;
  let generation: number;
  let count = 0;
  beforeAll(async () => {
    shop = await openTestShop('second-lines', PATIENT);
  });
  afterAll(async () => shop.close());
  beforeEach(async () => {
    sku = { shopId: 'S1', skuId: `K${++count}` };
    await shop.stock(sku.skuId, 10);
    generation = (await stockRow()).generation;
  });

  const hold = (quantity: number): Hold => ({ ...sku, reservationId: mint<'ReservationId'>(), quantity });
  const read = async () => (await shop.gate.read([sku]))[0];
  const stockRow = async () => {
    const { rows } = await shop.pool.query<{ generation: number }>(
      'SELECT generation FROM tinystore_inventory.inventory_stock WHERE sku_id = $1',
      [sku.skuId],
    );
    return { generation: rows[0]?.generation ?? 0 };
  };
  const scripts = () => scriptsFor(shop.gate.state()?.epoch ?? 1);
  const load = (more: number, totalQuantity = 99) =>
    installSku(shop.redis, scripts(), {
      ...sku,
      generation: generation + more,
      totalQuantity,
      confirmedQuantity: 0,
      holds: [],
    });
  /** One page of a load, as a gatekeeper sends it. */
  const page = async (more: number, total: number, which: ['first' | 'next', 'more' | 'last'], held: Hold[]) => {
    const keys = skuKeys(sku);
    const units = held.reduce((sum, one) => sum + one.quantity, 0);
    const args = [generation + more, total, units, ...which, ...held.flatMap((one) => [Date.now(), memberOf(one)])];
    return shop.redis.evalsha(scripts().install.sha, keys.length, ...keys, ...args.map(String));
  };

  it('P18 an older load never replaces a newer one', async () => {
    await shop.gate.take([hold(3)]);
    expect(await load(-1)).toBe(false);
    expect(await read()).toMatchObject({ generation, total: 10, deducted: 3, holdCount: 1 });
  });

  it('P18 a second load under the same epoch and generation is refused: it would drop what was taken since', async () => {
    await shop.gate.take([hold(3)]);
    expect(await load(0)).toBe(false);
    expect(await read()).toMatchObject({ generation, total: 10, deducted: 3, holdCount: 1 });
    expect(await load(1)).toBe(true);
  });

  it('P10 a SKU that is being loaded sells nothing and frees nothing until its last page', async () => {
    const [known, late] = [hold(2), hold(4)];
    await shop.gate.take([known]);
    expect(await page(1, 10, ['first', 'more'], [known])).toEqual(['DONE', String(generation + 1), 1]);
    expect(await shop.gate.take([hold(1)])).toEqual({ kind: 'retry', reason: 'BUSY' });
    expect(await shop.gate.giveBack([known])).toBe('closed');
    expect(await read()).toMatchObject({ kind: 'unknown', why: 'BUSY' });
    await page(1, 10, ['next', 'last'], [late]);
    expect(await read()).toMatchObject({ generation: generation + 1, holdCount: 2 });
    expect(await shop.gate.take([hold(1)])).toMatchObject({ kind: 'taken', generations: [generation + 1] });
  });

  it('P10 a page of a load that was overtaken changes nothing', async () => {
    await page(1, 10, ['first', 'more'], [hold(2)]);
    expect(await load(2, 7)).toBe(true);
    expect(await page(1, 10, ['next', 'last'], [hold(4)])).toEqual(['STALE']);
    expect(await read()).toMatchObject({ generation: generation + 2, total: 7, deducted: 0, holdCount: 0 });
  });

  it('P18 a removal leaves what was loaded after it, and takes away what is older', async () => {
    const remove = (asked: number) => {
      const keys = skuKeys(sku);
      return shop.redis.evalsha(scripts().remove.sha, keys.length, ...keys, String(asked));
    };
    expect(await remove(generation)).toEqual(['DONE', String(generation), 0]);
    expect(await read()).toMatchObject({ kind: 'read', total: 10 });
    expect(await remove(generation + 1)).toEqual(['DONE', String(generation + 1), 1]);
    expect(await shop.redis.exists(...skuKeys(sku))).toBe(1);
    await load(2, 10);
  });

  const raise = async () => {
    await receiveStock(shop.pool, { ...sku, quantity: 5, operationId: mint(), actor: 'test' });
    const { rows } = await shop.pool.query<{ id: number }>(
      `SELECT id FROM tinystore_inventory.gate_effect WHERE status = 'PENDING' AND sku_id = $1`,
      [sku.skuId],
    );
    return rows[0]?.id ?? 0;
  };

  it('P18 an effect applied in an epoch that is over is not marked as done', async () => {
    const before = (await shop.gate.refresh()).epoch;
    const id = await raise();
    await shop.pool.query('UPDATE tinystore_inventory.gate_epoch SET epoch = epoch + 1');
    expect(await markApplied(shop.pool, before, [{ id, generation }])).toEqual(new Set());
    await shop.gatekeeper.rebuild();
    const { epoch } = await shop.gate.refresh();
    expect(epoch).toBeGreaterThan(before);
    expect(await read()).toMatchObject({ epoch, total: 15 });
  });

  it('P18 an effect applied to a load that is no longer there is not marked as done', async () => {
    const { epoch } = await shop.gate.refresh();
    const id = await raise();
    expect(await markApplied(shop.pool, epoch, [{ id, generation: generation - 1 }])).toEqual(new Set());
    expect(await markApplied(shop.pool, epoch, [{ id, generation }])).toEqual(new Set([id]));
  });
});
