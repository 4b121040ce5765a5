/**
 * C55, P38: orders at 200 a second, the relay held back, then messages parked and gate effects left waiting, while
 * reconcile runs all the time and SKUs come and go. Whatever its age, what is in flight is never drift.
 */
import { expect, test } from 'vitest';
import { switchGateMode } from '../ledger/index.ts';
import { putBackEvents } from '../ops/console/index.ts';
import { cancelOrder } from '../order/index.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { startOrders } from '../testing/order-load.ts';
import { until } from '../testing/until.ts';
import { openTestBooks, type TestBooks } from './books.testing.ts';
import { reconcile } from './reconcile.ts';
import type { RunSummary } from './reconcile-log.ts';

const SKUS = ['K1', 'K2', 'K3', 'K4'];
const ORDERS_A_SECOND = 200;
const PARKED = 25;
const ENDED = 20;

/** @param proofAgeMs below `behindSeconds`, so that the age of a hold is no excuse */
export function testPendingIsNoDrift(behindSeconds: number, proofAgeMs: number): void {
  test(`C55 – with the relay ${behindSeconds} s behind, messages parked and effects waiting, reconcile finds and repairs nothing`, {
    timeout: behindSeconds * 2000 + 120_000,
  }, async () => {
    const books = await openTestBooks('pending');
    for (const skuId of SKUS) await books.stock(skuId, 100_000);
    const watch = watchAllTheTime(books, proofAgeMs);

    const orders = SKUS.map((skuId) => startOrders(books, skuId, ORDERS_A_SECOND / SKUS.length));
    const end = performance.now() + behindSeconds * 1000;
    for (let n = 0; performance.now() < end; n++) {
      await books.stock(`N${n}`, 10);
      if (n > 0) await takeOff(books, `N${n - 1}`);
      await until('half a second of orders', nextHalfSecond());
    }
    const placed = (await Promise.all(orders.map((load) => load.end()))).flat();
    const trades = placed.flatMap(({ tradeId }) => tradeId ?? []);
    expect(new Set(placed.map(({ outcome }) => outcome))).toEqual(new Set(['placed']));
    await watch.oneMore();

    await park(books);
    await deliverEvents(books.pool);
    await watch.oneMore();
    const recorded = await readRecorded(books, trades);
    for (const { tradeId, buyerId } of recorded.slice(0, ENDED))
      await cancelOrder(books.desk, { tradeId, by: { kind: 'buyer', buyerId } });
    for (const { tradeId } of recorded.slice(ENDED, 2 * ENDED)) await books.paid(tradeId);
    await deliverEvents(books.pool);
    expect(await countPendingEffects(books)).toBeGreaterThanOrEqual(2 * ENDED);
    await watch.oneMore();
    await putBack(books);
    await books.settle();

    const runs = await watch.end();
    const atMost = (of: (run: RunSummary) => number) => Math.max(...runs.map(of));
    expect(atMost((run) => run.explained)).toBeGreaterThan((ORDERS_A_SECOND * behindSeconds) / 4);
    expect(atMost((run) => run.differing + run.unexplained + run.reinstalled + run.effectsIssued)).toBe(0);
    expect(await books.log('FINDING')).toEqual([]);
    expect(await books.log('REPAIR')).toEqual([]);
    expect(await reconcile(books.compare)).toMatchObject({ differing: 0, explained: 0, unknown: 0 });
    expect(await checkInvariants(books)).toEqual([]);
    await books.close();
  });
}

/** Reconcile, run after run, until it is told to end. */
function watchAllTheTime(books: TestBooks, proofAgeMs: number) {
  const runs: RunSummary[] = [];
  let going = true;
  const running = (async () => {
    while (going) runs.push(await reconcile({ ...books.compare, proofAgeMs }));
  })();
  const seen = async (atLeast: number) => until('a run of reconcile', () => runs.length >= atLeast);
  return {
    /** A run that began after this call has ended. */
    oneMore: () => seen(runs.length + 2),
    async end() {
      await seen(runs.length + 2);
      going = false;
      await running;
      return runs;
    },
  };
}

function nextHalfSecond(): () => boolean {
  const at = performance.now() + 500;
  return () => performance.now() > at;
}

/** The SKU's keys go while others are read. */
async function takeOff({ pool, compare, gatekeeper }: TestBooks, skuId: string): Promise<void> {
  const command = { shopId: 'S1', skuId, to: 'DATABASE', actor: 'ada', reason: 'test' } as const;
  expect(await switchGateMode({ pool, waker: compare.waker }, command)).toMatchObject({ kind: 'switched' });
  await gatekeeper.runOnce();
}

/** Some of the orders' messages cannot be sent, and wait for a person. */
async function park({ pool }: TestBooks): Promise<void> {
  await pool.query(
    `UPDATE tinystore_order.outbox_pending p SET status = 'PARKED', topic = 'tinystore.order.general', key = e.key, reason = 'test'
     FROM tinystore_order.outbox_event e WHERE e.id = p.id AND e.key IN (
       SELECT key FROM tinystore_order.outbox_event WHERE type = 'INVENTORY_RESERVE_DB' ORDER BY id LIMIT $1)`,
    [PARKED],
  );
}

async function putBack({ pool }: TestBooks): Promise<void> {
  const { rows } = await pool.query<{ topic: string; key: string }>(
    `SELECT DISTINCT topic, key FROM tinystore_order.outbox_pending WHERE status = 'PARKED'`,
  );
  expect(rows).toHaveLength(PARKED);
  for (const { topic, key } of rows) await putBackEvents(pool, { topic, key, actor: 'ada', reason: 'test' });
}

async function readRecorded({ pool }: TestBooks, tradeIds: readonly string[]) {
  const { rows } = await pool.query<{ tradeId: string; buyerId: string }>(
    `SELECT t.id AS "tradeId", t.buyer_id AS "buyerId" FROM tinystore_order.trade t
     JOIN tinystore_inventory.inventory_reservation r ON r.trade_id = t.id
     WHERE t.id = ANY ($1) AND r.status = 'PRE_DEDUCTED' ORDER BY t.id LIMIT $2`,
    [tradeIds, 2 * ENDED],
  );
  return rows;
}

async function countPendingEffects({ pool }: TestBooks): Promise<number> {
  const { rows } = await pool.query(`SELECT id FROM tinystore_inventory.gate_effect WHERE status = 'PENDING'`);
  return rows.length;
}
