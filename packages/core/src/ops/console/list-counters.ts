/**
 * Gate beside ledger, SKU by SKU, with the difference explained: the same compare and explain that reconcile
 * runs (P36, P38), so console and reconcile can never tell two stories. Unknown is shown as unknown, never zero.
 */
import { freeUnits, gateCapacity, gateDeducted } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import {
  type CompareDeps,
  type Comparison,
  compareSkus,
  type DriftRisk,
  type DriftRow,
} from '../../reconcile/index.ts';

export interface CounterFilter {
  readonly shopId?: string;
  /** Only SKUs with an unexplained difference or an unknown reading. */
  readonly driftedOnly?: boolean;
  readonly after?: { readonly shopId: string; readonly skuId: string };
  readonly limit: number;
}

export type GateView =
  | {
      readonly kind: 'read';
      readonly total: number;
      readonly deducted: number;
      readonly free: number;
      readonly holds: number;
      readonly version: number;
      readonly epoch: number;
      readonly generation: number;
    }
  | { readonly kind: 'unknown'; readonly why: string };

export interface CounterView {
  readonly shopId: string;
  readonly skuId: string;
  readonly name: string;
  readonly mode: 'REDIS' | 'DATABASE' | 'SWITCHING';
  readonly generation: number;
  readonly gate: GateView;
  readonly ledger: {
    readonly totalQuantity: number;
    readonly reserved: number;
    readonly confirmed: number;
    /** Units of PRE_DEDUCTED rows, and of all live holds (those on their way to the ledger too); null while unknown. */
    readonly preDeductedUnits: number | null;
    readonly liveUnits: number | null;
    readonly capacity: number;
  };
  /** T and D by the one formula; null while the live holds are not known. */
  readonly expected: { readonly total: number; readonly deducted: number } | null;
  /** Units in flight, and what nothing explains; null while unknown. */
  readonly inFlight: number | null;
  readonly unexplained: number | null;
  readonly rows: readonly DriftRow[];
  readonly risk: DriftRisk | null;
  readonly readAt: Date;
}

export interface CounterPage {
  readonly counters: readonly CounterView[];
  readonly next: { readonly shopId: string; readonly skuId: string } | null;
}

interface StockRow {
  shopId: string;
  skuId: string;
  name: string;
  mode: CounterView['mode'];
  generation: number;
  totalQuantity: number;
  reserved: number;
  confirmed: number;
  readAt: Date;
}

const PAGE = 100;
/** A search for drift reads at most this many SKUs a request; the cursor says where to go on. */
const MAX_PAGES = 20;

export async function listCounters(deps: CompareDeps, filter: CounterFilter): Promise<CounterPage> {
  const counters: CounterView[] = [];
  let after = filter.after ?? null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const size = filter.driftedOnly ? PAGE : Math.min(PAGE, filter.limit - counters.length);
    const stock = await readStock(deps.pool, filter.shopId ?? null, after, size);
    const compared = await compareSkus(
      deps,
      stock.filter((row) => row.mode === 'REDIS'),
    );
    const byName = new Map(compared.map((c) => [`${c.shopId}/${c.skuId}`, c]));
    for (const row of stock) {
      after = { shopId: row.shopId, skuId: row.skuId };
      const view = viewOf(row, byName.get(`${row.shopId}/${row.skuId}`));
      if (!filter.driftedOnly || isDrifted(view)) counters.push(view);
      if (counters.length >= filter.limit) return { counters, next: after };
    }
    if (stock.length < size) return { counters, next: null };
  }
  return { counters, next: after };
}

function isDrifted(view: CounterView): boolean {
  return (
    view.mode === 'REDIS' && (view.gate.kind === 'unknown' || view.risk === 'oversell' || view.risk === 'undersell')
  );
}

function viewOf(row: StockRow, comparison: Comparison | undefined): CounterView {
  const { shopId, skuId, name, mode, readAt } = row;
  const judged = comparison?.kind === 'judged' ? comparison : undefined;
  const facts = comparison && 'ledger' in comparison ? comparison.ledger : undefined;
  // With the snapshot of the comparison at hand, every figure of the row is of that one moment.
  const figures = facts ?? {
    totalQuantity: row.totalQuantity,
    confirmedQuantity: row.confirmed,
    reservedQuantity: row.reserved,
    generation: row.generation,
  };
  const liveUnits = facts ? sumOf(facts.live.map((hold) => hold.quantity)) : null;
  const explanation = judged?.explanation;
  return {
    shopId,
    skuId,
    name,
    mode,
    readAt,
    generation: figures.generation,
    gate: gateView(mode, comparison),
    ledger: {
      totalQuantity: figures.totalQuantity,
      reserved: figures.reservedQuantity,
      confirmed: figures.confirmedQuantity,
      liveUnits,
      preDeductedUnits: facts ? sumOf(facts.live.filter((hold) => hold.recorded).map((hold) => hold.quantity)) : null,
      capacity: gateCapacity(figures),
    },
    expected:
      liveUnits === null
        ? null
        : {
            total: gateCapacity(figures),
            deducted: gateDeducted({ confirmedQuantity: figures.confirmedQuantity, heldUnits: liveUnits }),
          },
    inFlight: explanation ? explanation.deducted.inFlight + explanation.capacity.inFlight : null,
    unexplained: explanation ? explanation.deducted.unexplained + explanation.capacity.unexplained : null,
    rows: explanation?.rows ?? [],
    risk: explanation?.risk ?? null,
  };
}

function gateView(mode: CounterView['mode'], comparison: Comparison | undefined): GateView {
  if (comparison?.kind !== 'judged') {
    const why =
      comparison?.kind === 'unknown' ? comparison.why : comparison?.kind === 'moving' ? 'MOVING' : `MODE_${mode}`;
    return { kind: 'unknown', why };
  }
  const { total, deducted, version, epoch, generation, holds } = comparison.gate;
  return {
    kind: 'read',
    total,
    deducted,
    free: freeUnits(total, deducted),
    holds: holds.length,
    version,
    epoch,
    generation,
  };
}

async function readStock(
  sql: Sql,
  shopId: string | null,
  after: CounterPage['next'],
  limit: number,
): Promise<StockRow[]> {
  const { rows } = await sql.query<StockRow>(
    `SELECT i.shop_id AS "shopId", i.sku_id AS "skuId", coalesce(s.name, i.sku_id) AS name, i.gate_mode AS mode, i.generation,
       i.total_quantity AS "totalQuantity", i.reserved_quantity AS reserved, i.confirmed_quantity AS confirmed, ops.clock_now() AS "readAt"
     FROM tinystore_inventory.inventory_stock i
     LEFT JOIN tinystore_order.sku s ON s.shop_id = i.shop_id AND s.id = i.sku_id
     WHERE ($1::text IS NULL OR i.shop_id = $1) AND ($2::text IS NULL OR (i.shop_id, i.sku_id) > ($2, $3))
     ORDER BY i.shop_id, i.sku_id LIMIT $4`,
    [shopId, after?.shopId ?? null, after?.skuId ?? null, limit],
  );
  return rows;
}

function sumOf(units: readonly number[]): number {
  return units.reduce((total, n) => total + n, 0);
}
