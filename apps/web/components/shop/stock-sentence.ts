/** Stock as a sentence, not an alarm. `null` is not known, and is never said as "sold out". */
export interface StockFigures {
  readonly free: number | null;
  /** Unpaid holds at the gate; null when not known. */
  readonly holds: number | null;
}

export interface StockSentence {
  readonly state: 'plenty' | 'few' | 'last' | 'held' | 'sold-out' | 'unknown';
  readonly text: string;
  readonly canBuy: boolean;
}

const FEW = 20;

export function stockSentence(stock: StockFigures | undefined): StockSentence {
  if (!stock || stock.free === null) return { state: 'unknown', text: 'Stock is being counted', canBuy: true };
  if (stock.free === 0 && (stock.holds ?? 0) > 0)
    return { state: 'held', text: 'All being paid for, some may come back', canBuy: false };
  if (stock.free === 0) return { state: 'sold-out', text: 'Sold out', canBuy: false };
  if (stock.free === 1) return { state: 'last', text: 'Last one', canBuy: true };
  if (stock.free <= FEW) return { state: 'few', text: `${stock.free} left`, canBuy: true };
  return { state: 'plenty', text: 'In good supply', canBuy: true };
}

/** A product's variants taken together. */
export function addStock(parts: readonly (StockFigures | undefined)[]): StockFigures {
  const known = parts.filter((part) => part !== undefined && part.free !== null);
  if (known.length < parts.length) return { free: null, holds: null };
  return { free: sum(known.map((part) => part?.free)), holds: sum(known.map((part) => part?.holds)) };
}

function sum(units: readonly (number | null | undefined)[]): number {
  return units.reduce<number>((total, n) => total + (n ?? 0), 0);
}
