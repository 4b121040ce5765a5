import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mint } from '../../domain/index.ts';
import { createMetrics, openGateRedis, openInstallRedis, openSession, silentLog } from '../../platform/index.ts';
import { countWaiting } from '../../testing/count-waiting.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { until } from '../../testing/until.ts';
import { scriptsFor } from '../scripts.ts';
import { createGatekeeper } from './gatekeeper.ts';
import { installSku } from './install-sku.ts';
import { rebuildGate } from './rebuild.ts';

const sku = { shopId: 'S1', skuId: 'hot' };

describe('the gatekeeper', () => {
  let shop: TestShop;
  let beforeCommit: (() => Promise<unknown>) | undefined;
  /** Set by a test that plants effects or figures which no verb of the ledger wrote. */
  let mayBreak: boolean;
  beforeEach(async () => {
    beforeCommit = undefined;
    mayBreak = false;
    shop = await openTestShop(
      'gatekeeper',
      {},
      {
        stopAt: async (point) => {
          if (point !== 'order.before-commit') return;
          const act = beforeCommit;
          beforeCommit = undefined;
          await act?.();
        },
      },
    );
    await shop.stock('hot', 10);
  });
  afterEach(async () => shop.close({ mayBreak }));

  const read = async () => (await shop.gate.read([sku]))[0];
  const trades = async () =>
    (
      await shop.pool.query<{ epoch: number; generation: number }>(
        'SELECT epoch, generation FROM tinystore_order.order_line_hold',
      )
    ).rows;
  const addEffect = (kind: string, id: string | null = null, quantity: number | null = null) =>
    shop.pool.query(
      'INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, reservation_id, quantity) VALUES ($1, $2, $3, $4, $5)',
      [kind, 'S1', 'hot', id, quantity],
    );
  const pending = async () =>
    (await shop.pool.query(`SELECT id FROM tinystore_inventory.gate_effect WHERE status = 'PENDING'`)).rowCount;

  it('P11 an order taken before a rebuild and committed after it is refused, then placed under the new epoch', async () => {
    beforeCommit = () => shop.gatekeeper.rebuild();
    expect(await shop.order([{ skuId: 'hot', quantity: 3 }])).toMatchObject({ kind: 'placed' });
    expect((await trades()).map((t) => t.epoch)).toEqual([2]);
    expect(await read()).toMatchObject({ epoch: 2, deducted: 3, holdCount: 1 });
  });

  it('P20 an order taken before a re-install of its SKU is refused at commit, then placed under the new generation', async () => {
    beforeCommit = async () => {
      await addEffect('INSTALL');
      await shop.gatekeeper.runOnce();
    };
    const [{ generation: before } = { generation: 0 }] = (
      await shop.pool.query<{ generation: number }>('SELECT generation FROM tinystore_inventory.inventory_stock')
    ).rows;
    expect(await shop.order([{ skuId: 'hot', quantity: 3 }])).toMatchObject({ kind: 'placed' });
    expect((await trades()).map((t) => t.generation)).toEqual([before + 1]);
    expect(await read()).toMatchObject({ epoch: 1, deducted: 3, holdCount: 1 });
  });

  it('P10 a commit under way when a rebuild begins is in the snapshot', async () => {
    await shop.pool.query(
      `CREATE FUNCTION slow_trade() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.4); RETURN NEW; END $$`,
    );
    await shop.pool.query(
      'CREATE TRIGGER slow BEFORE INSERT ON tinystore_order.trade FOR EACH ROW EXECUTE FUNCTION slow_trade()',
    );
    let rebuilt: Promise<unknown> | undefined;
    beforeCommit = async () => {
      setTimeout(() => {
        rebuilt = shop.gatekeeper.rebuild();
      }, 100);
    };
    expect(await shop.order([{ skuId: 'hot', quantity: 4 }])).toMatchObject({ kind: 'placed' });
    await rebuilt;
    await shop.gate.refresh();
    expect(await read()).toMatchObject({ epoch: 2, deducted: 4, holdCount: 1 });
  });

  it('P11 an order that waits for the lock of a rebuild is judged by the epoch that it finds then', async () => {
    const rebuilding = await shop.pool.connect();
    beforeCommit = () => rebuilding.query('SELECT pg_advisory_lock(ops.gate_lock_key())');
    const placing = shop.order([{ skuId: 'hot', quantity: 3 }]);
    await until('the commit waits', async () => (await countWaiting(shop.pool)) > 0);
    await rebuilding.query('UPDATE tinystore_inventory.gate_epoch SET epoch = epoch + 1, open = false');
    await rebuilding.query('SELECT pg_advisory_unlock(ops.gate_lock_key())');
    rebuilding.release();
    await shop.gatekeeper.runOnce();
    expect(await placing).toMatchObject({ kind: 'placed' });
    expect((await trades()).map((t) => t.epoch)).toEqual([3]);
    expect(await read()).toMatchObject({ epoch: 3, deducted: 3, holdCount: 1 });
  });

  it('P18 nothing is installed twice under one (epoch, generation), and nothing older after it', async () => {
    const redis = await openInstallRedis(shop.server.url);
    const load = { ...sku, totalQuantity: 99, confirmedQuantity: 0, holds: [] };
    expect(await installSku(redis, scriptsFor(1), { ...load, generation: 2 })).toBe(false);
    expect(await installSku(redis, scriptsFor(1), { ...load, generation: 1 })).toBe(false);
    expect(await read()).toMatchObject({ total: 10 });
    redis.disconnect();
  });

  it('P18 effects reach the gate once, in any number of tries, and pending ones wait for an open gate', async () => {
    mayBreak = true;
    const placed = await shop.order([{ skuId: 'hot', quantity: 3 }]);
    expect(placed.kind).toBe('placed');
    const {
      rows: [hold],
    } = await shop.pool.query<{ id: string }>('SELECT reservation_id AS id FROM tinystore_order.order_line_hold');
    await addEffect('GIVE_BACK', hold?.id ?? null, 3);
    await addEffect('RAISE');
    await shop.server.kill();
    await shop.gatekeeper.runOnce();
    expect(await pending()).toBe(2);
    await shop.server.start('kept');
    await until('the effects are applied', async () => {
      await shop.gatekeeper.runOnce();
      return (await pending()) === 0;
    });
    const found = await until('the gate can be read', async () => {
      const reading = await read();
      return reading?.kind === 'read' && reading;
    });
    expect(found).toMatchObject({ deducted: 0, holdCount: 0 });
  });

  it('C09 more units promised than there are: the gate opens with nothing free instead of staying shut', async () => {
    mayBreak = true;
    await shop.order([{ skuId: 'hot', quantity: 8 }]);
    await shop.pool.query(`UPDATE tinystore_inventory.inventory_stock SET total_quantity = 5`);
    await shop.gatekeeper.rebuild();
    await shop.gate.refresh();
    expect(await read()).toMatchObject({ epoch: 2, total: 5, deducted: 8, holdCount: 1 });
    expect(await shop.order([{ skuId: 'hot', quantity: 1 }])).toMatchObject({ code: 'SOLD_OUT', lines: [{ left: 0 }] });
  });

  it('P18 300 new SKUs at once are all loaded, and a SKU with a broken key keeps none of them waiting', async () => {
    mayBreak = true;
    await shop.order([{ skuId: 'hot', quantity: 1 }]);
    await shop.redis.set('inventory:version:{S1}:hot', 'x');
    await addEffect('RAISE');
    await shop.pool.query(
      `WITH sku AS (SELECT 'N' || n AS id FROM generate_series(1, 300) n), stock AS (
         INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity) SELECT 'S1', id, 7 FROM sku)
       INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) SELECT 'INSTALL', 'S1', id FROM sku`,
    );
    await shop.gatekeeper.runOnce();
    expect(await pending()).toBe(1);
    const loaded = await shop.gate.read(Array.from({ length: 300 }, (_, n) => ({ shopId: 'S1', skuId: `N${n + 1}` })));
    expect(new Set(loaded.map((found) => found.kind === 'read' && found.total))).toEqual(new Set([7]));
  });

  it('two gatekeepers that rebuild at the same time leave one open gate with exact figures', async () => {
    await Promise.all(Array.from({ length: 4 }, () => shop.order([{ skuId: 'hot', quantity: 1 }])));
    const deps = {
      pool: shop.pool,
      openSession: () => openSession(shop.databaseUrl, 'test gatekeeper'),
      openInstallRedis: () => openInstallRedis(shop.server.url),
      log: silentLog,
    };
    const cause = { reason: 'test', before: 1 };
    const rebuilds = await Promise.allSettled([
      rebuildGate(deps, cause),
      rebuildGate(deps, cause),
      rebuildGate(deps, cause),
    ]);
    expect(rebuilds.some((r) => r.status === 'fulfilled' && r.value !== undefined)).toBe(true);
    await shop.gatekeeper.runOnce();
    await shop.gate.refresh();
    expect(await read()).toMatchObject({ total: 10, deducted: 4, holdCount: 4 });
    expect(await shop.order([{ skuId: 'hot', quantity: 7 }])).toMatchObject({ code: 'SOLD_OUT', lines: [{ left: 6 }] });
    expect(await shop.order([{ skuId: 'hot', quantity: 6 }])).toMatchObject({ kind: 'placed' });
  });

  it('a rebuild that takes longer than the lease is not overtaken by another worker', async () => {
    await shop.gatekeeper.stop();
    const leaseMs = 300;
    const deps = {
      pool: shop.pool,
      openSession: () => openSession(shop.databaseUrl, 'test gatekeeper'),
      metrics: createMetrics('slow'),
      log: silentLog,
      leaseMs,
    };
    const redis = openGateRedis(shop.server.url, 'two', 2000);
    const open = async () => {
      // Four times the lease: a slow network, or very many SKUs.
      await new Promise((resolve) => setTimeout(resolve, 4 * leaseMs));
      return openInstallRedis(shop.server.url);
    };
    const keepers = ['one', 'two'].map((holder) =>
      createGatekeeper({ ...deps, redis, holder, openInstallRedis: open }),
    );
    await shop.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
    const [one, two] = keepers;
    const rebuilding = one?.runOnce();
    await until('the other one has tried meanwhile', async () => {
      await two?.runOnce();
      return (await shop.gate.refresh()).open;
    });
    await rebuilding;
    expect(await shop.gate.refresh()).toMatchObject({ epoch: 2, open: true });
    for (const keeper of keepers) await keeper.stop();
    redis.disconnect();
  });

  it('P19 a gatekeeper without the lease does nothing', async () => {
    mayBreak = true;
    const redis = openGateRedis(shop.server.url, 'second', 2000);
    const second = createGatekeeper({
      pool: shop.pool,
      openSession: () => openSession(shop.databaseUrl, 'test gatekeeper'),
      redis,
      holder: 'second',
      metrics: createMetrics('second'),
      log: silentLog,
      openInstallRedis: () => openInstallRedis(shop.server.url),
    });
    await addEffect('GIVE_BACK', mint<'ReservationId'>(), 1);
    await second.runOnce();
    expect(await pending()).toBe(1);
    await second.stop();
    redis.disconnect();
    await shop.gatekeeper.runOnce();
    expect(await pending()).toBe(0);
  });
});
