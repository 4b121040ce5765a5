/**
 * Units that can still be bought, read for this request (C62). SKUs that the ledger sells are read there, the others at
 * the gate. `free: null` means not known, because the gate is closed or a switch is under way; it is never said as zero.
 */
import { freeUnits } from '../../domain/index.ts';
import type { Gate, SkuRef } from '../../gate/index.ts';
import type { Sql } from '../../platform/index.ts';

export interface StockLine extends SkuRef {
  readonly free: number | null;
  /** Unpaid holds: units of a sold-out SKU that may come back. Counted in holds at the gate, in units in the ledger. */
  readonly holds: number | null;
}

interface LedgerLine extends SkuRef {
  readonly mode: 'DATABASE' | 'SWITCHING';
  readonly free: number;
  readonly reserved: number;
}

export async function readStock(
  deps: { readonly sql: Sql; readonly gate: Pick<Gate, 'read'> },
  skus: readonly SkuRef[],
): Promise<StockLine[]> {
  const inLedger = new Map((await readLedger(deps.sql, skus)).map((line) => [nameOf(line), line]));
  const readings = await deps.gate.read(skus.filter((sku) => !inLedger.has(nameOf(sku))));
  const atGate = new Map(readings.map((reading) => [nameOf(reading), reading]));
  return skus.map(({ shopId, skuId }) => {
    const line = inLedger.get(nameOf({ shopId, skuId }));
    const reading = atGate.get(nameOf({ shopId, skuId }));
    if (line?.mode === 'DATABASE') return { shopId, skuId, free: line.free, holds: line.reserved };
    if (reading?.kind !== 'read') return { shopId, skuId, free: null, holds: null };
    return { shopId, skuId, free: freeUnits(reading.total, reading.deducted), holds: reading.holdCount };
  });
}

async function readLedger(sql: Sql, skus: readonly SkuRef[]): Promise<LedgerLine[]> {
  const { rows } = await sql.query<LedgerLine>(
    `SELECT s.shop_id AS "shopId", s.sku_id AS "skuId", s.gate_mode AS mode,
            s.total_quantity - s.reserved_quantity AS free, s.reserved_quantity AS reserved
     FROM unnest($1::text[], $2::text[]) AS w(shop_id, sku_id)
     JOIN tinystore_inventory.inventory_stock s ON s.shop_id = w.shop_id AND s.sku_id = w.sku_id AND s.gate_mode <> 'REDIS'`,
    [skus.map((sku) => sku.shopId), skus.map((sku) => sku.skuId)],
  );
  return rows;
}

const nameOf = ({ shopId, skuId }: SkuRef) => `${shopId}/${skuId}`;
