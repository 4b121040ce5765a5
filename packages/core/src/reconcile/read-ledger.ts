/**
 * The ledger's side of a page of SKUs, in one REPEATABLE READ snapshot, so that every figure is of one moment.
 * All reads are narrowed to the page; their cost does not grow with the history of sales.
 */
import type { ReservationStatus } from '../domain/index.ts';
import { type LiveHold, liveHolds, type SkuRef } from '../gate/index.ts';
import { inTransaction, type Pool, type Sql } from '../platform/index.ts';
import { type GateHold, type HoldFacts, isWholeHold, type LedgerFacts } from './facts.ts';

export interface LedgerPage {
  readonly epoch: { readonly epoch: number; readonly open: boolean };
  /** REDIS-mode SKUs of the page, by `nameOf`. */
  readonly skus: ReadonlyMap<string, LedgerFacts>;
  /** By id: what is known of each hold of the gate that is no live hold of its SKU. */
  readonly holds: ReadonlyMap<string, HoldFacts>;
}

interface StockRow {
  shopId: string;
  skuId: string;
  generation: number;
  totalQuantity: number;
  reservedQuantity: number;
  confirmedQuantity: number;
  raisePending: boolean;
  reloadPending: boolean;
  epoch: number;
  open: boolean;
  nowMs: number;
}

export function nameOf(sku: SkuRef): string {
  return `${sku.shopId}/${sku.skuId}`;
}

/** @param held the gate's holds of those SKUs that have any, by `nameOf` */
export async function readLedger(
  pool: Pool,
  skus: readonly SkuRef[],
  held: ReadonlyMap<string, readonly GateHold[]>,
): Promise<LedgerPage> {
  return await inTransaction(pool, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const stock = await readStock(tx, skus);
    const live = Map.groupBy(await liveHolds(tx, skus), nameOf);
    const holds = await readHoldFacts(tx, notLive(held, live));
    const epoch = stock[0] ?? (await readEpochRow(tx));
    return {
      epoch: { epoch: epoch.epoch, open: epoch.open },
      skus: new Map(
        stock.map((row) => {
          const name = nameOf(row);
          return [name, { ...row, live: (live.get(name) ?? []) satisfies LiveHold[] }];
        }),
      ),
      holds,
    };
  });
}

/** A live hold found at the gate needs no further question; what else is there was ended, sold, abandoned or never ordered. */
function notLive(
  held: ReadonlyMap<string, readonly GateHold[]>,
  live: ReadonlyMap<string, readonly LiveHold[]>,
): string[] {
  const ids: string[] = [];
  for (const [name, holds] of held) {
    const known = new Set(live.get(name)?.map((hold) => hold.reservationId));
    for (const hold of holds) if (isWholeHold(hold) && !known.has(hold.reservationId)) ids.push(hold.reservationId);
  }
  return ids;
}

/** LATERAL with a LIMIT: one look into the key for each SKU. A plain join reads the whole table for every page of SKUs. */
async function readStock(tx: Sql, skus: readonly SkuRef[]): Promise<StockRow[]> {
  const { rows } = await tx.query<StockRow>(
    `WITH pending AS MATERIALIZED (
       SELECT shop_id, sku_id, bool_or(kind = 'RAISE') AS raise, bool_or(kind IN ('INSTALL', 'REMOVE')) AS reload
       FROM tinystore_inventory.gate_effect
       WHERE status = 'PENDING' AND kind IN ('RAISE', 'INSTALL', 'REMOVE') GROUP BY 1, 2
     )
     SELECT s.shop_id AS "shopId", s.sku_id AS "skuId", s.generation, s.total_quantity AS "totalQuantity",
       s.reserved_quantity AS "reservedQuantity", s.confirmed_quantity AS "confirmedQuantity",
       coalesce(p.raise, false) AS "raisePending", coalesce(p.reload, false) AS "reloadPending",
       e.epoch, e.open AND e.closed_reported IS NULL AS open,
       floor(extract(epoch FROM ops.clock_now()) * 1000)::bigint AS "nowMs"
     FROM unnest($1::text[], $2::text[]) AS page(shop_id, sku_id)
     CROSS JOIN LATERAL (SELECT * FROM tinystore_inventory.inventory_stock s
       WHERE s.shop_id = page.shop_id AND s.sku_id = page.sku_id LIMIT 1) s
     CROSS JOIN tinystore_inventory.gate_epoch e
     LEFT JOIN pending p ON p.shop_id = s.shop_id AND p.sku_id = s.sku_id
     WHERE s.gate_mode = 'REDIS'`,
    [skus.map((sku) => sku.shopId), skus.map((sku) => sku.skuId)],
  );
  return rows;
}

/** What is known of each hold id: its ledger row, its order line, its abandonment, an effect still to be applied. */
export async function readHoldFacts(sql: Sql, reservationIds: readonly string[]): Promise<Map<string, HoldFacts>> {
  if (reservationIds.length === 0) return new Map();
  const { rows } = await sql.query<HoldFacts & { id: string; status: ReservationStatus | null }>(
    `SELECT u.id, r.status, h.state AS "lineState", a.reservation_id IS NOT NULL AS abandoned,
       EXISTS (SELECT FROM tinystore_inventory.gate_effect e WHERE e.reservation_id = u.id AND e.status = 'PENDING') AS "effectPending"
     FROM unnest($1::uuid[]) AS u(id)
     LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = u.id
     LEFT JOIN tinystore_order.order_line_hold h ON h.reservation_id = u.id
     LEFT JOIN tinystore_inventory.abandoned_hold a ON a.reservation_id = u.id`,
    [reservationIds],
  );
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}

async function readEpochRow(tx: Sql): Promise<{ epoch: number; open: boolean }> {
  const { rows } = await tx.query<{ epoch: number; open: boolean }>(
    'SELECT epoch, open AND closed_reported IS NULL AS open FROM tinystore_inventory.gate_epoch',
  );
  return rows[0] ?? { epoch: 0, open: false };
}
