import { expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { createPool } from '../platform/index.ts';
import { checkShop } from '../testing/check-shop.ts';
import { openFaultProxy } from '../testing/fault-proxy.ts';
import { openTestShop } from '../testing/test-shop.ts';
import { createPlaceOrderDeps, placeOrder } from './index.ts';

test('P15 – A commit whose answer is lost is read back: the order stands, its units stay held, nothing is given back', async () => {
  const shop = await openTestShop('lost-commit', { ORDER_REQUEST_LIMIT_MS: '30000' });
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
