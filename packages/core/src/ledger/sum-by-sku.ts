/** Sums units per (shop, SKU), because one statement changes one row once, however often it is named (P5). Pure. */
export interface SkuKey {
  readonly shopId: string;
  readonly skuId: string;
}
export interface StockChange extends SkuKey {
  readonly total: number;
  readonly reserved: number;
  readonly confirmed: number;
}
/** What one unit of a line does to its stock row. */
export type UnitChange = Omit<StockChange, keyof SkuKey>;

export const RESERVE: UnitChange = { total: 0, reserved: 1, confirmed: 0 };
export const RELEASE: UnitChange = { total: 0, reserved: -1, confirmed: 0 };
export const CONFIRM: UnitChange = { total: -1, reserved: -1, confirmed: 1 };
export const RESTOCK: UnitChange = { total: 1, reserved: 0, confirmed: 0 };

/** No id holds a blank, so the text is unambiguous. */
export const keyOf = ({ shopId, skuId }: SkuKey): string => `${shopId} ${skuId}`;

export function sumBySku(
  parts: readonly {
    readonly lines: readonly (SkuKey & { readonly quantity: number })[];
    readonly change: UnitChange;
  }[],
): StockChange[] {
  const sums = new Map<string, StockChange>();
  for (const { lines, change } of parts)
    for (const { shopId, skuId, quantity } of lines) {
      const key = keyOf({ shopId, skuId });
      const sum = sums.get(key) ?? { shopId, skuId, total: 0, reserved: 0, confirmed: 0 };
      sums.set(key, {
        shopId,
        skuId,
        total: sum.total + quantity * change.total,
        reserved: sum.reserved + quantity * change.reserved,
        confirmed: sum.confirmed + quantity * change.confirmed,
      });
    }
  return [...sums.values()];
}
