/** An import with its rows against the stock and the holds of this moment: a dry run that books nothing (C08). */
import { type Failure, freeUnits, refuse } from '../../domain/index.ts';
import type { Gate, SkuRef } from '../../gate/index.ts';
import type { Pool } from '../../platform/index.ts';
import type { ImportRowStatus, ImportStatus } from './import-state.ts';
import { type JudgedRow, judgeRows, type RowToJudge, type StockFacts } from './judge-rows.ts';

export interface ImportHead {
  readonly importId: string;
  readonly fileName: string;
  readonly status: ImportStatus;
  readonly actor: string;
  readonly reason: string;
  readonly createdAt: Date;
  readonly rows: number;
  readonly applied: number;
  readonly refused: number;
  readonly undone: number;
}

export interface ReviewedRow extends JudgedRow {
  readonly status: ImportRowStatus;
  readonly refusal: string | null;
}

export interface ImportReview extends ImportHead {
  readonly kind: 'review';
  readonly lines: readonly ReviewedRow[];
  readonly readAt: Date;
}

const HEAD = `SELECT i.id AS "importId", i.file_name AS "fileName", i.status, i.actor, i.reason, i.created_at AS "createdAt",
    count(*)::integer AS rows, count(*) FILTER (WHERE r.status = 'APPLIED')::integer AS applied,
    count(*) FILTER (WHERE r.status = 'REFUSED')::integer AS refused, count(*) FILTER (WHERE r.status = 'UNDONE')::integer AS undone
  FROM tinystore_inventory.stock_import i JOIN tinystore_inventory.stock_import_row r ON r.import_id = i.id`;
const MAX_IMPORTS = 50;

export async function listImports(pool: Pool): Promise<ImportHead[]> {
  const { rows } = await pool.query<ImportHead>(
    `${HEAD} GROUP BY i.id ORDER BY i.created_at DESC, i.id DESC LIMIT ${MAX_IMPORTS}`,
  );
  return rows;
}

export async function reviewImport(
  deps: { readonly pool: Pool; readonly gate: Pick<Gate, 'read'> },
  importId: string,
): Promise<ImportReview | Failure> {
  const { rows: heads } = await deps.pool.query<ImportHead>(`${HEAD} WHERE i.id = $1 GROUP BY i.id`, [importId]);
  const [head] = heads;
  if (!head) return refuse('NOT_FOUND', 'There is no such import.');
  const rows = await readRows(deps.pool, importId);
  const skus = [...new Map(rows.map((row) => [`${row.shopId} ${row.skuId}`, row])).values()];
  const due = rows.filter((row) => row.status === 'PENDING' || row.status === 'CLAIMED');
  const judged = new Map(judgeRows(due, await readFacts(deps, skus)).map((row) => [row.line, row]));
  const lines = rows.map((row) => ({
    ...asItStands(row),
    ...judged.get(row.line),
    status: row.status,
    refusal: row.refusal,
  }));
  return { kind: 'review', ...head, lines, readAt: new Date() };
}

type StoredRow = RowToJudge &
  Pick<ReviewedRow, 'status' | 'refusal'> & { readonly before: number | null; readonly after: number | null };

/** What is booked or refused is no forecast any more. */
function asItStands(row: StoredRow): JudgedRow {
  const { before, after, status: _status, refusal: _refusal, ...own } = row;
  return { ...own, verdict: 'ok', totalBefore: before ?? 0, totalAfter: after ?? 0, free: 0 };
}

async function readRows(pool: Pool, importId: string): Promise<StoredRow[]> {
  const { rows } = await pool.query<StoredRow>(
    `SELECT r.line, r.ref, r.shop_id AS "shopId", r.sku_id AS "skuId", r.change, r.status, r.refusal,
       b.import_id AS "bookedBy", o.total_before AS before, o.total_after AS after
     FROM tinystore_inventory.stock_import_row r
     LEFT JOIN tinystore_inventory.stock_import_row b ON b.ref = r.ref AND b.status IN ('CLAIMED', 'APPLIED') AND b.import_id <> r.import_id
     LEFT JOIN tinystore_inventory.stock_operation o ON o.id = r.operation_id
     WHERE r.import_id = $1 ORDER BY r.line`,
    [importId],
  );
  return rows;
}

/** The ledger's figures; what is free is the gate's to say where it can be read, because it knows holds on their way. */
async function readFacts(
  { pool, gate }: Parameters<typeof reviewImport>[0],
  skus: readonly SkuRef[],
): Promise<StockFacts[]> {
  const { rows } = await pool.query<
    SkuRef & { total: number | null; reserved: number; confirmed: number; mode: string | null }
  >(
    `SELECT k.shop_id AS "shopId", k.id AS "skuId", s.total_quantity AS total, coalesce(s.reserved_quantity, 0) AS reserved,
       coalesce(s.confirmed_quantity, 0) AS confirmed, s.gate_mode AS mode
     FROM unnest($1::text[], $2::text[]) AS page(shop_id, sku_id)
     JOIN tinystore_order.sku k ON k.shop_id = page.shop_id AND k.id = page.sku_id
     LEFT JOIN tinystore_inventory.inventory_stock s ON s.shop_id = k.shop_id AND s.sku_id = k.id`,
    [skus.map((sku) => sku.shopId), skus.map((sku) => sku.skuId)],
  );
  const readings = await gate.read(rows.filter((row) => row.mode === 'REDIS'));
  const atGate = new Map(readings.map((reading) => [`${reading.shopId} ${reading.skuId}`, reading]));
  return rows.map(({ shopId, skuId, total, reserved, confirmed }) => {
    const reading = atGate.get(`${shopId} ${skuId}`);
    const free = reading?.kind === 'read' ? freeUnits(reading.total, reading.deducted) : (total ?? 0) - reserved;
    return { shopId, skuId, total: total ?? undefined, confirmed, held: (total ?? 0) - free, free };
  });
}
