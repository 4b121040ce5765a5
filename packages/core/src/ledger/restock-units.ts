/**
 * Sold units come back into stock (P31): like a receipt, the ledger rises first and the gate follows by a RAISE (P4).
 * `confirmed_quantity` stays, because it counts what was ever taken out; capacity rises with `total_quantity`. The
 * operation id is the return item's, and counts once (C07).
 */
import { type Failure, gateCapacity, MAX_STOCK, refuse } from '../domain/index.ts';
import type { Sql } from '../platform/index.ts';
import { insertRestockMovements } from './sql/insert-movements.ts';
import { raiseStock, readLockedStock } from './sql/raise-stock.ts';
import { keyOf, RESTOCK, sumBySku } from './sum-by-sku.ts';

export interface Restock {
  readonly operationId: string;
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly actor: string;
}

/** Refuses before the first write. @throws when a SKU has no stock row, or an operation id was booked before */
export async function restockUnits(tx: Sql, units: readonly Restock[]): Promise<Failure | undefined> {
  const changes = sumBySku([{ lines: units, change: RESTOCK }]);
  if (changes.length === 0) return undefined;
  const stock = await readLockedStock(tx, changes);
  const capacityOf = new Map(stock.map((row) => [keyOf(row), gateCapacity(row)]));
  const full = changes.find((change) => (capacityOf.get(keyOf(change)) ?? 0) + change.total > MAX_STOCK);
  if (full)
    return refuse('INVALID_INPUT', `${full.skuId} can have at most ${MAX_STOCK} units over its life`, {
      field: 'quantity',
    });
  await insertRestockMovements(tx, units);
  await raiseStock(tx, changes);
  return undefined;
}
