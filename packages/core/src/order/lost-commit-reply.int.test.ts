import { expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { createPool } from '../platform/index.ts';
import { checkShop } from '../testing/check-shop.ts';
import { openFaultProxy } from '../testing/fault-proxy.ts';
import { PATIENT } from '../testing/test-config.ts';
import { openTestShop } from '../testing/test-shop.ts';
import { until } from '../testing/until.ts';
import { findOrAbandon } from './find-by-key.ts';
import { createPlaceOrderDeps, placeOrder } from './index.ts';

test('P15 – A commit whose answer is lost is read back: the order stands, its units stay held, nothing is given back', async () => {
  const shop = await openTestShop('lost-commit', PATIENT);
  const proxy = await openFaultProxy(Number(new URL(shop.databaseUrl).port));
  const pool = createPool({ url: proxy.before(shop.databaseUrl), name: 'web', max: 4 });
  await shop.stock('K1', 10);
  const desk = createPlaceOrderDeps({ ...shop.desk, pool });
  proxy.set({ kind: 'cut-after-delivery', match: 'commit_orders', times: 1 });
  const command = {
    key: mint<'key'>(),
    buyerId: mint<'BuyerId'>(),
    traceId: 'test',
    lines: [{ shopId: 'S1', skuId: 'K1', quantity: 2, unitPriceMinor: 1999 }],
  };
  const placed = await placeOrder(desk, command).catch((error: unknown) => ({ kind: 'failed', error }));
  const [atGate] = await shop.gate.read([{ shopId: 'S1', skuId: 'K1' }]);
  const { rows } = await shop.pool.query('SELECT id FROM tinystore_order.trade');
  const broken = await checkShop(shop);
  await pool.end();
  proxy.close();
  await shop.close({ mayBreak: true });
  expect(proxy.struck()).toBe(1);
  expect(placed).toMatchObject({ kind: 'placed' });
  expect(rows).toHaveLength(1);
  expect(atGate).toMatchObject({ deducted: 2, holdCount: 1 });
  expect(broken).toEqual([]);
});

test('P22 – A retry waits for the commit of its key that is still under way, and finds the order', async () => {
  const shop = await openTestShop('slow-commit', PATIENT);
  await shop.stock('K1', 10);
  await shop.pool.query(
    `CREATE FUNCTION slow_trade() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NEW; END $$`,
  );
  await shop.pool.query(
    'CREATE TRIGGER slow BEFORE INSERT ON tinystore_order.trade FOR EACH ROW EXECUTE FUNCTION slow_trade()',
  );
  const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
  const placing = shop.order([{ skuId: 'K1', quantity: 2 }], same);
  await until('the commit is under way', async () => {
    const { rowCount } = await shop.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
    );
    return rowCount === 1;
  });
  const known = await findOrAbandon(shop.pool, same.buyerId, same.key, []);
  const placed = await placing;
  await shop.close();
  expect(placed).toMatchObject({ kind: 'placed', tradeId: known?.tradeId });
});
