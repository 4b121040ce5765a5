/** What the tests of this folder share: a whole order desk, its sweep and reconcile, and a look at one SKU's books. */
import { mint } from '../domain/index.ts';
import { skuKeys } from '../gate/keys.ts';
import { confirmTrades } from '../ledger/index.ts';
import { createMetrics, inTransaction, type Pool, silentLog } from '../platform/index.ts';
import { setClockOffset } from '../testing/clock.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

export const PROOF_AGE_MS = 60_000;
const sku = (skuId: string) => ({ shopId: 'S1', skuId });

export type TestBooks = Awaited<ReturnType<typeof openTestBooks>>;

export interface PlacedLine {
  readonly tradeId: string;
  readonly buyerId: string;
  readonly reservationId: string;
  readonly shopOrderId: string;
}

export interface LogRow {
  readonly skuId: string;
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
  readonly unexplained: number;
  readonly cause: string;
  readonly actor: string;
}

export async function openTestBooks(name: string) {
  const shop = await openTestShop(name);
  const { pool, gate, gatekeeper } = shop;
  const shared = { pool, gate, log: silentLog, waker: { wake: () => undefined }, proofAgeMs: PROOF_AGE_MS };
  return {
    ...shop,
    sweep: { ...shared, incidentAgeMs: 30 * 60_000 },
    compare: { ...shared, metrics: createMetrics('test') },
    /** Moves the clock of database and gate to this many ms ahead of real time. */
    async ahead(ms: number) {
      await setClockOffset(pool, ms);
      await gate.refresh();
    },
    placed: (skuId: string, quantity: number) => placeLine(shop, skuId, quantity),
    ghost: (skuId: string, quantity: number) => leaveGhost(shop, skuId, quantity),
    paid: (tradeId: string) => payTrade(pool, tradeId),
    plant: (skuId: string, change: GateChange) => plant(shop, skuId, change),
    look: (skuId: string) => look(shop, skuId),
    log: (kind: 'RUN' | 'FINDING' | 'REPAIR') => readLog(pool, kind),
    /** What a lost reply leaves: the ledger believes that the gate has done it. */
    loseEffects: () =>
      pool.query(
        `UPDATE tinystore_inventory.gate_effect SET status = 'APPLIED', applied_at = ops.clock_now() WHERE status = 'PENDING'`,
      ),
    /** Sends every event through ledger and order; its gate effects stay pending. */
    deliver: () => deliverEvents(pool),
    /** Sends every event through ledger and order, then applies every gate effect. */
    async settle() {
      await deliverEvents(pool);
      await gatekeeper.runOnce();
    },
    async openIncidents() {
      const { rows } = await pool.query<{ kind: string; subject: string }>(
        `SELECT kind, subject FROM ops.incident WHERE status = 'OPEN' ORDER BY id`,
      );
      return rows;
    },
  };
}

/** Places an order of one line and returns its ids. */
async function placeLine(shop: TestShop, skuId: string, quantity: number): Promise<PlacedLine> {
  const buyerId = mint<'BuyerId'>();
  const result = await shop.order([{ skuId, quantity }], { buyerId });
  if (result.kind !== 'placed') throw new Error(`not placed: ${JSON.stringify(result)}`);
  const { rows } = await shop.pool.query<{ reservationId: string; shopOrderId: string }>(
    `SELECT reservation_id AS "reservationId", shop_order_id AS "shopOrderId" FROM tinystore_order.order_line_hold WHERE trade_id = $1`,
    [result.tradeId],
  );
  const [line] = rows;
  if (!line) throw new Error('an order without a line');
  return { tradeId: result.tradeId, buyerId, ...line };
}

/** A take whose order never comes, as a crash leaves it. */
async function leaveGhost({ gate }: TestShop, skuId: string, quantity: number): Promise<string> {
  const reservationId = mint<'ReservationId'>();
  const taken = await gate.take([{ ...sku(skuId), reservationId, quantity }]);
  if (taken.kind !== 'taken') throw new Error(`not taken: ${taken.kind}`);
  return reservationId;
}

/** Money for a recorded order: its notice stands judged, the ledger confirms. */
async function payTrade(pool: Pool, tradeId: string): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query(`UPDATE tinystore_order.trade SET status = 'PAID_PENDING' WHERE id = $1`, [tradeId]);
    await tx.query(
      `INSERT INTO tinystore_order.payment_event (event_id, intent_ref, trade_id, kind, attempt, amount_minor, currency, payload, judged_at, verdict)
       SELECT 'evt_' || t.id, p.id::text, t.id, 'SUCCEEDED', 1, t.total_minor, t.currency, '{}', ops.clock_now(), 'PAID'
       FROM tinystore_order.trade t JOIN tinystore_order.payment_intent p ON p.trade_id = t.id WHERE t.id = $1`,
      [tradeId],
    );
    await tx.query(`UPDATE tinystore_order.shop_order SET status = 'CONFIRMING' WHERE trade_id = $1`, [tradeId]);
    const { rows } = await tx.query<{ shopOrderId: string; ids: string[] }>(
      `SELECT shop_order_id AS "shopOrderId", array_agg(reservation_id::text) AS ids
       FROM tinystore_order.order_line_hold WHERE trade_id = $1 GROUP BY 1`,
      [tradeId],
    );
    await confirmTrades(
      tx,
      rows.map((row) => ({ tradeId, shopOrderId: row.shopOrderId, reservationIds: row.ids, traceId: 'test' })),
    );
  });
}

export interface GateChange {
  readonly deducted?: number;
  readonly total?: number;
  /** A member of the hold set, `id:quantity`. */
  readonly drop?: string;
}

/** Changes the gate behind everybody's back. */
async function plant({ redis }: TestShop, skuId: string, { deducted, total, drop }: GateChange): Promise<void> {
  const [totalKey, deductedKey, uncommit, version] = skuKeys(sku(skuId));
  if (deducted !== undefined) await redis.incrby(deductedKey, deducted);
  if (total !== undefined) await redis.incrby(totalKey, total);
  if (drop !== undefined) await redis.zrem(uncommit, drop);
  await redis.incr(version);
}

async function look({ gate }: TestShop, skuId: string): Promise<{ total: number; deducted: number; holds: string[] }> {
  const page = await gate.readHolds(sku(skuId), 0, 1000);
  if (page.kind !== 'read') throw new Error(`gate not readable: ${page.why}`);
  return { total: page.total, deducted: page.deducted, holds: page.holds.map((hold) => hold.reservationId) };
}

async function readLog(pool: Pool, kind: string): Promise<LogRow[]> {
  const { rows } = await pool.query<LogRow>(
    `SELECT sku_id AS "skuId", before, after, unexplained, cause, actor FROM tinystore_inventory.inventory_reconcile_log
     WHERE kind = $1 ORDER BY id`,
    [kind],
  );
  return rows;
}
