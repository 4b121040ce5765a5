/**
 * The dry run of an import: what each row would do to the stock as it is at this moment, in the order of the file.
 * Pure; what it finds is a forecast, and the booking itself judges again.
 */
import { MAX_STOCK } from '../../domain/index.ts';

export interface StockFacts {
  readonly shopId: string;
  readonly skuId: string;
  /** Undefined for a SKU that has had no stock yet. */
  readonly total: number | undefined;
  readonly confirmed: number;
  /** Units that buyers hold, recorded or not. */
  readonly held: number;
  /** Units that could be written off now. */
  readonly free: number;
}

export interface RowToJudge {
  readonly line: number;
  readonly ref: string;
  readonly shopId: string;
  readonly skuId: string;
  readonly change: number;
  /** The import that has booked this reference. */
  readonly bookedBy: string | null;
}

export type RowVerdict = 'ok' | 'booked before' | 'unknown SKU' | 'too many' | 'below held';

export interface JudgedRow extends RowToJudge {
  readonly verdict: RowVerdict;
  readonly totalBefore: number;
  readonly totalAfter: number;
  /** Free units before this row. */
  readonly free: number;
}

export function judgeRows(rows: readonly RowToJudge[], facts: readonly StockFacts[]): JudgedRow[] {
  const present = new Map(facts.map((fact) => [keyOf(fact), { ...fact, total: fact.total ?? 0 }]));
  return rows.map((row) => {
    const stock = present.get(keyOf(row));
    const verdict = judgeRow(row, stock);
    const before = { totalBefore: stock?.total ?? 0, free: stock?.free ?? 0 };
    if (verdict !== 'ok' || !stock) return { ...row, ...before, verdict, totalAfter: before.totalBefore };
    present.set(keyOf(row), {
      ...stock,
      total: stock.total + row.change,
      free: stock.free + row.change,
      confirmed: stock.confirmed + Math.max(0, -row.change),
    });
    return { ...row, ...before, verdict, totalAfter: stock.total + row.change };
  });
}

function judgeRow(row: RowToJudge, stock: (StockFacts & { readonly total: number }) | undefined): RowVerdict {
  if (row.bookedBy !== null) return 'booked before';
  if (!stock) return 'unknown SKU';
  if (row.change > 0) return stock.total + stock.confirmed + row.change > MAX_STOCK ? 'too many' : 'ok';
  return -row.change > stock.free ? 'below held' : 'ok';
}

/** No id holds a blank. */
function keyOf({ shopId, skuId }: { readonly shopId: string; readonly skuId: string }): string {
  return `${shopId} ${skuId}`;
}
