/**
 * C48. How long a script runs cannot be asked of a machine that other tests share, so the first test counts what each
 * one does: a script of a thousand steps takes about a millisecond. The suite `reconcile` of `npm run bench` has the
 * case at full size, with the slow log.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { until } from '../testing/until.ts';
import { watchScripts } from '../testing/watch-scripts.ts';
import { openTestBooks, type TestBooks } from './books.testing.ts';
import { reconcile } from './reconcile.ts';
import { reinstallSku } from './reinstall.ts';
import { sweepGhostHolds } from './sweep-ghost-holds.ts';

const MAX_STEPS = 2000;
/** Ten times what one call of any verb is given. */
const HOLDS = 5000;

let books: TestBooks;
let mayBreak: boolean;
beforeEach(async () => {
  mayBreak = false;
  books = await openTestBooks('long scripts');
  await books.stock('K1', 100_000);
});
afterEach(() => books.close({ mayBreak }));

test('C48 – A SKU with very many holds is loaded, compared, swept and cleared without one long script', async () => {
  mayBreak = true; // the ledger rows below have no orders
  const watch = await watchScripts(books.redis);
  await books.pool.query(
    `WITH held AS (
       INSERT INTO tinystore_inventory.inventory_reservation (reservation_id, shop_id, sku_id, quantity, status, order_id)
       SELECT gen_random_uuid(), 'S1', 'K1', 1, 'PRE_DEDUCTED', gen_random_uuid() FROM generate_series(1, ${HOLDS}) RETURNING 1)
     UPDATE tinystore_inventory.inventory_stock SET reserved_quantity = (SELECT count(*) FROM held)`,
  );
  await books.pool.query(
    `INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity) SELECT 'S1', 'N' || n, 1 FROM generate_series(1, 1500) n`,
  );
  await books.gatekeeper.rebuild();
  await books.gate.refresh();
  await Promise.all(
    Array.from({ length: 1000 }, () =>
      books.gate.take([{ shopId: 'S1', skuId: 'K1', quantity: 1, reservationId: mint<'ReservationId'>() }]),
    ),
  );
  expect(await reconcile(books.compare)).toMatchObject({ judged: 1501, explained: 1000, differing: 0 });
  await books.ahead(61_000);
  expect(await sweepGhostHolds(books.sweep)).toMatchObject({ looked: HOLDS + 1000, givenBack: 1000 });
  await reinstallSku(books.pool, { shopId: 'S1', skuId: 'K1', generation: 1, actor: 'test', cause: 'test' });
  await books.gatekeeper.runOnce();
  await books.pool.query(
    `WITH ended AS (
       UPDATE tinystore_inventory.inventory_reservation SET status = 'EXPIRED', ended_at = ops.clock_now() RETURNING reservation_id, quantity),
     freed AS (UPDATE tinystore_inventory.inventory_stock SET reserved_quantity = 0)
     INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, reservation_id, quantity)
     SELECT 'GIVE_BACK', 'S1', 'K1', reservation_id, quantity FROM ended`,
  );
  await books.gatekeeper.runOnce();
  expect(await books.look('K1')).toMatchObject({ total: 100_000, deducted: 0, holds: [] });

  const { scripts, commands } = await watch.end();
  expect(scripts.length).toBeGreaterThan(1000);
  expect(scripts.filter((script) => script.steps > MAX_STEPS)).toEqual([]);
  expect(commands.has('keys')).toBe(false);
});

test('C48 – A foreign script that occupies Redis makes orders wait and is no reason to reload a SKU', async () => {
  await books.placed('K1', 10);
  await books.settle();
  await books.redis.config('SET', 'busy-reply-threshold', '20');
  const stranger = books.redis.duplicate();
  const foreign = stranger.eval('while true do end', 0).catch((error: unknown) => String(error));
  await until('Redis answers everybody that it is busy', () =>
    books.redis.ping().then(
      () => false,
      (error: unknown) => String(error).includes('BUSY'),
    ),
  );
  const ordering = books.order([{ skuId: 'K1', quantity: 1 }]);
  expect(await reconcile(books.compare)).toMatchObject({ outcome: 'closed', reinstalled: 0 });
  await books.redis.script('KILL');
  expect(await foreign).toContain('killed');
  expect(await ordering).toMatchObject({ kind: 'placed' });
  await books.settle();
  expect(await books.look('K1')).toMatchObject({ total: 100_000, deducted: 11 });
  expect(await reconcile(books.compare)).toMatchObject({ outcome: 'complete', judged: 1, differing: 0 });
  expect(await books.log('REPAIR')).toEqual([]);
  expect(await checkInvariants(books)).toEqual([]);
  stranger.disconnect();
});
