import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGate } from '../gate/index.ts';
import { epochKey, skuKeys } from '../gate/keys.ts';
import { openGateRedis } from '../platform/index.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { openTestBooks, type TestBooks } from './books.testing.ts';
import { reconcile } from './reconcile.ts';
import { reinstallSku } from './reinstall.ts';

let books: TestBooks;
beforeEach(async () => {
  books = await openTestBooks('unknown');
  await books.stock('K1', 100);
});
afterEach(async () => {
  await books.close();
});
const run = (more: Partial<TestBooks['compare']> = {}) => reconcile({ ...books.compare, ...more }, { skusAPage: 200 });
const order = async () => (await books.order([{ skuId: 'K1', quantity: 1 }])).kind;

test('A broken counter is put right at once like one that holds too little, and the SKU sells again (P37)', async () => {
  await books.stock('K2', 5);
  await books.placed('K1', 10);
  await books.settle();
  await books.redis.set(skuKeys({ shopId: 'S1', skuId: 'K1' })[1], 'abc');
  expect(await order()).not.toBe('placed');

  expect(await run()).toMatchObject({
    outcome: 'complete',
    judged: 1,
    unknown: 1,
    unknownBy: { BROKEN_KEY: 1 },
    reinstalled: 1,
  });
  expect(await books.log('FINDING')).toMatchObject([
    { skuId: 'K1', before: { unknown: 'BROKEN_KEY', risk: 'oversell' }, cause: 'a broken key at the gate' },
  ]);
  expect(await books.log('REPAIR')).toMatchObject([
    { skuId: 'K1', before: { unknown: 'BROKEN_KEY' }, after: { action: 'INSTALL', reservedQuantity: 10 } },
  ]);
  expect(await books.openIncidents()).toEqual([{ kind: 'UNEXPLAINED_DRIFT', subject: 'S1/K1' }]);
  expect(await run()).toMatchObject({ unknown: 1, reinstalled: 0 });

  await books.gatekeeper.runOnce();
  expect(await order()).toBe('placed');
  await books.settle();
  expect(await books.look('K1')).toMatchObject({ total: 100, deducted: 11 });
  expect(await run()).toMatchObject({ judged: 2, unknown: 0, unknownBy: {}, differing: 0 });
  expect(await books.openIncidents()).toEqual([]);
  expect(await checkInvariants(books)).toEqual([]);
});

test('What says nothing of one SKU is counted in the row of the run and leaves no finding', async () => {
  await books.stock('K2', 5);
  const loading = { shopId: 'S1', skuId: 'K2', actor: 'test', cause: 'test' };
  const { rows } = await books.pool.query<{ generation: number }>(
    `SELECT generation FROM tinystore_inventory.inventory_stock WHERE sku_id = 'K2'`,
  );
  await reinstallSku(books.pool, { ...loading, generation: rows[0]?.generation ?? 0 });
  await books.redis.set(epochKey({ shopId: 'S1', skuId: 'K2' }), 'loading:1:1');
  const counts = { BUSY: 1 };
  expect(await run()).toMatchObject({ outcome: 'complete', judged: 1, unknown: 1, unknownBy: counts, reinstalled: 0 });
  expect(await books.log('FINDING')).toEqual([]);
  expect(await books.log('RUN')).toMatchObject([{ after: { unknownBy: counts } }]);
});

test('A run ends at the first page for which the gate is away, writes one row, and the next run goes on there', async () => {
  await books.pool.query(
    `INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity) SELECT 'S2', 'N' || lpad(n::text, 4, '0'), 0 FROM generate_series(1, 450) n`,
  );
  await books.gatekeeper.rebuild();
  await books.gate.refresh();
  const client = openGateRedis(books.server.url, 'test-gate', 1000);
  const { pool, log, metrics, waker } = books.compare;
  const gate = createGate({ pool, log, metrics, waker, redis: client });
  const end = async () => {
    const away = new Promise((resolve) => client.once('end', resolve));
    client.disconnect();
    await away;
  };
  await end();
  expect(await run({ gate })).toMatchObject({ outcome: 'closed', skus: 200, unknownBy: { GATE_CLOSED: 200 } });
  expect(await books.log('FINDING')).toEqual([]);
  expect(await books.log('RUN')).toMatchObject([{ after: { resumeAfter: null } }]);

  await client.connect();
  let reads = 0;
  const goesAway: typeof gate = {
    ...gate,
    async read(skus, holdsEach) {
      // Two reads a page: the second page meets a gate that is gone.
      if (++reads === 3) await end();
      return await gate.read(skus, holdsEach);
    },
  };
  expect(await run({ gate: goesAway })).toMatchObject({
    outcome: 'cut',
    judged: 200,
    unknownBy: { GATE_CLOSED: 200 },
    resumeAfter: { shopId: 'S2', skuId: 'N0199' },
  });
  expect(await run()).toMatchObject({ outcome: 'complete', judged: 251, unknown: 0, resumeAfter: null });
  expect(await books.log('FINDING')).toEqual([]);
});
