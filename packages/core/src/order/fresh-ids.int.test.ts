import { expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import type { Gate, Hold } from '../gate/index.ts';
import { checkShop } from '../testing/check-shop.ts';
import { PATIENT } from '../testing/test-config.ts';
import { openTestShop } from '../testing/test-shop.ts';
import { placeOrder } from './index.ts';

test('P13 – Each try of an order has ids of its own: a give-back that arrives late frees nothing of a later try', async () => {
  const shop = await openTestShop('fresh-ids', PATIENT);
  await shop.stock('K1', 10);
  const sent: string[] = [];
  const underWay: (readonly Hold[])[] = [];
  const gate: Gate = {
    ...shop.gate,
    take: (holds) => {
      sent.push(...holds.map((hold) => hold.reservationId));
      return shop.gate.take(holds);
    },
    // Its command is still somewhere in the network when the caller has given up on it.
    giveBack: async (holds) => {
      underWay.push(holds);
      return 'unknown';
    },
  };
  let first = true;
  const stopAt = async (point: string) => {
    if (point !== 'order.before-commit' || !first) return;
    first = false;
    await shop.pool.query(
      `INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('INSTALL', 'S1', 'K1')`,
    );
    await shop.gatekeeper.runOnce();
  };
  const placed = await placeOrder(
    { ...shop.desk, gate, stopAt },
    {
      key: mint<'key'>(),
      buyerId: mint<'BuyerId'>(),
      traceId: 'test',
      lines: [{ shopId: 'S1', skuId: 'K1', quantity: 2, unitPriceMinor: 1999 }],
    },
  );
  for (const holds of underWay) await shop.gate.giveBack(holds);
  const [atGate] = await shop.gate.read([{ shopId: 'S1', skuId: 'K1' }]);
  const broken = await checkShop(shop);
  await shop.close({ mayBreak: true });
  expect(placed).toMatchObject({ kind: 'placed' });
  expect(new Set(sent).size).toBe(2);
  expect(sent).toHaveLength(2);
  expect(underWay).toHaveLength(1);
  expect(atGate).toMatchObject({ deducted: 2, holdCount: 1 });
  expect(broken).toEqual([]);
});

test('P21 – The shops of one order are taken in one epoch: a rebuild between two takes gives the first one back', async () => {
  const shop = await openTestShop('one-epoch', PATIENT);
  await Promise.all([shop.stock('K1', 10, 'S1'), shop.stock('K1', 10, 'S2')]);
  let takes = 0;
  let commits = 0;
  const gate: Gate = {
    ...shop.gate,
    take: async (holds) => {
      if (++takes === 2) await shop.gatekeeper.rebuild();
      return shop.gate.take(holds);
    },
  };
  const stopAt = async (point: string) => {
    if (point === 'order.before-commit') commits++;
  };
  const line = { skuId: 'K1', quantity: 2, unitPriceMinor: 1999 };
  const placed = await placeOrder(
    { ...shop.desk, gate, stopAt },
    {
      key: mint<'key'>(),
      buyerId: mint<'BuyerId'>(),
      traceId: 'test',
      lines: [
        { shopId: 'S1', ...line },
        { shopId: 'S2', ...line },
      ],
    },
  );
  const { rows } = await shop.pool.query('SELECT DISTINCT epoch FROM tinystore_order.order_line_hold');
  const broken = await checkShop(shop);
  await shop.close({ mayBreak: true });
  expect(placed).toMatchObject({ kind: 'placed' });
  expect(commits).toBe(1);
  expect(rows).toEqual([{ epoch: 2 }]);
  expect(broken).toEqual([]);
});
