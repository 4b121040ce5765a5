/** Which SKUs a run looks at, where it goes on, and the run that only looks. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { skuKeys } from '../gate/keys.ts';
import { openTestBooks, type TestBooks } from './books.testing.ts';
import { previewReconcile } from './preview.ts';
import { reconcile } from './reconcile.ts';

let books: TestBooks;
beforeEach(async () => {
  books = await openTestBooks('scope');
  await books.stock('K1', 100);
});
afterEach(async () => {
  await books.close();
});
const run = () => reconcile(books.compare);
const quiet = { differing: 0, unexplained: 0, reinstalled: 0 };

test('a run whose time ended goes on with the next page in the next run', async () => {
  await manySkus(books, 250);
  expect(await reconcile(books.compare, { budgetMs: 0, skusAPage: 200 })).toMatchObject({
    ...quiet,
    outcome: 'cut',
    judged: 200,
  });
  expect(await reconcile(books.compare, { budgetMs: 0, skusAPage: 200 })).toMatchObject({
    ...quiet,
    outcome: 'complete',
    judged: 51,
    resumeAfter: null,
  });
  expect(await reconcile(books.compare, { shopId: 'S1' })).toMatchObject({ scoped: true, judged: 1 });
});

test('P37 – what is held too much heals also when one round through the SKUs takes several runs', async () => {
  await manySkus(books, 250);
  await books.plant('K1', { deducted: 3 });
  const part = () => reconcile(books.compare, { budgetMs: 0, skusAPage: 200 });
  expect(await part()).toMatchObject({ outcome: 'cut', round: 1, differing: 1, reinstalled: 0 });
  expect(await part()).toMatchObject({ outcome: 'complete', round: 1, differing: 0 });
  expect(await part()).toMatchObject({ outcome: 'cut', round: 2, differing: 1, reinstalled: 1 });
});

test('P37 – a run of one SKU by a person goes on where the last run of everything stood, with the reason in the log', async () => {
  await books.placed('K1', 10);
  await books.settle();
  await books.stock('K2', 5);
  for (const skuId of ['K1', 'K2']) await books.plant(skuId, { deducted: 3 });
  expect(await run()).toMatchObject({ differing: 2, reinstalled: 0 });
  const byHand = { shopId: 'S1', skuIds: ['K1'], actor: 'ada@holdfast.example', reason: 'a call from the shop' };
  expect(await reconcile(books.compare, byHand)).toMatchObject({ scope: 'shop S1 skus K1', judged: 1, reinstalled: 1 });
  await books.gatekeeper.runOnce();
  expect(await books.look('K1')).toMatchObject({ deducted: 10 });
  expect(await books.look('K2')).toMatchObject({ deducted: 3 });
  expect((await books.log('RUN')).at(-1)).toMatchObject({
    actor: 'ada@holdfast.example',
    after: { reason: 'a call from the shop' },
  });
});

test('P37 – a run of one shop that was cut goes on there when it is asked for again', async () => {
  await manySkus(books, 250);
  const part = () => reconcile(books.compare, { shopId: 'S2', budgetMs: 0, skusAPage: 200 });
  expect(await part()).toMatchObject({ outcome: 'cut', judged: 200 });
  expect(await run()).toMatchObject({ outcome: 'complete', judged: 251 });
  expect(await part()).toMatchObject({ outcome: 'complete', judged: 50, resumeAfter: null });
});

test('P37 – a dry run names what would be done and changes nothing', async () => {
  const hold = await books.placed('K1', 10);
  await books.settle();
  for (const skuId of ['K2', 'K3', 'K4']) await books.stock(skuId, 5);
  await books.plant('K1', { drop: `${hold.reservationId}:10`, deducted: -10 });
  await books.plant('K2', { deducted: 3 });
  await books.redis.set(skuKeys({ shopId: 'S1', skuId: 'K3' })[0], 'abc');
  const preview = await previewReconcile(books.compare);
  expect(preview).toMatchObject({ scanned: 4, judged: 3, unknown: 1, changed: 2, resumeAfter: null });
  expect(preview.found).toMatchObject([
    { skuId: 'K1', remedy: 'reinstall', unexplained: -10, rows: [{ cause: 'MISSING_HOLD' }] },
    { skuId: 'K2', remedy: 'wait', unexplained: 3 },
    { skuId: 'K3', remedy: 'reinstall', unknown: 'BROKEN_KEY' },
  ]);
  expect(await previewReconcile(books.compare, { shopId: 'S1', skuIds: ['K4'] })).toMatchObject({
    scanned: 1,
    found: [],
  });
  for (const kind of ['RUN', 'FINDING', 'REPAIR'] as const) expect(await books.log(kind)).toEqual([]);
  expect(await books.look('K1')).toMatchObject({ deducted: 0 });
});

async function manySkus({ pool, gatekeeper, gate }: TestBooks, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity) SELECT 'S2', 'N' || lpad(n::text, 4, '0'), 0 FROM generate_series(1, $1) n`,
    [count],
  );
  await gatekeeper.rebuild();
  await gate.refresh();
}
