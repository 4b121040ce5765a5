/** The reconcile log as the console shows it: one story for everybody who looks. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestBooks, type TestBooks } from '../../reconcile/books.testing.ts';
import { reconcile } from '../../reconcile/index.ts';
import { listReconcileLog, readOverview } from './index.ts';

let books: TestBooks;
beforeEach(async () => {
  books = await openTestBooks('log');
  await books.stock('K1', 100);
  await books.placed('K1', 10);
  await books.settle();
});
afterEach(async () => {
  await books.close();
});

const lastRun = async () => (await readOverview(books.pool)).lastReconcile;
const list = async (filter: Partial<Parameters<typeof listReconcileLog>[1]> = {}) =>
  (await listReconcileLog(books.pool, { limit: 50, ...filter })).entries;

test('C60 – a drift of -3 is shown the same, with one time and run, however often it is looked at, and is gone after the repair', async () => {
  await books.plant('K1', { deducted: -3 });
  const { runId } = await reconcile(books.compare);
  const looks = [];
  for (let n = 0; n < 10; n++) looks.push({ run: await lastRun(), found: await list({ kind: 'FINDING' }) });
  expect(new Set(looks.map((look) => JSON.stringify(look))).size).toBe(1);
  expect(looks[0]).toMatchObject({
    run: { runId, summary: { differing: 1 } },
    found: [{ runId, shopId: 'S1', skuId: 'K1', unexplained: -3, before: { deducted: 7 }, after: { deducted: 10 } }],
  });

  await books.gatekeeper.runOnce();
  await reconcile(books.compare);
  expect(await lastRun()).toMatchObject({ summary: { differing: 0, unexplained: 0 } });
});

test('The log is found by kind, shop, SKU, cause and run, page by page', async () => {
  await books.stock('K2', 5, 'S2');
  await books.plant('K1', { deducted: -3 });
  await books.redis.set('inventory:deducted:{S2}:K2', 'abc');
  const { runId } = await reconcile(books.compare);
  await books.gatekeeper.runOnce();
  await reconcile(books.compare);
  const kinds = async (filter: Parameters<typeof list>[0]) => (await list(filter)).map(({ kind }) => kind);
  expect(await kinds({ kind: 'RUN' })).toEqual(['RUN', 'RUN']);
  expect(await kinds({ shopId: 'S1' })).toEqual(['REPAIR', 'FINDING']);
  expect(await kinds({ skuId: 'K2' })).toEqual(['REPAIR', 'FINDING']);
  expect((await list({ cause: 'COUNTER_DIFFERS' })).map(({ skuId }) => skuId)).toEqual(['K1', 'K1']);
  expect((await list({ cause: 'BROKEN_KEY' })).map(({ skuId }) => skuId)).toEqual(['K2', 'K2']);
  expect(await list({ cause: 'GHOST' })).toEqual([]);
  expect(await kinds({ runId })).toHaveLength(5);

  const seen = [];
  for (let cursor: number | null | undefined; cursor !== null; ) {
    const page = await listReconcileLog(books.pool, { limit: 2, ...(cursor && { cursor }) });
    seen.push(...page.entries.map(({ id }) => id));
    cursor = page.next;
  }
  expect(seen).toEqual((await list()).map(({ id }) => id));
});
