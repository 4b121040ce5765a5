/**
 * Which shop orders of a batch fit the stock (P5, P6). Pure: figures are those of the locked rows. While every sum
 * fits, everybody fits; else the orders are judged one by one in event order. A shop order is one decision: one
 * line that does not fit refuses all its lines, and its other units stay free for the next.
 */
import type { HeldRow } from './held-row.ts';
import { keyOf } from './sum-by-sku.ts';

export interface Candidate {
  readonly shopOrderId: string;
  readonly rows: readonly HeldRow[];
  /** SKUs of this order whose units have ended already; they refuse the rest. */
  readonly ended: readonly string[];
}
/** Empty `short`: the order fits. */
export interface Verdict {
  readonly candidate: Candidate;
  readonly short: readonly string[];
}

export function judgeReservations(
  candidates: readonly Candidate[],
  stock: readonly { shopId: string; skuId: string; total: number; reserved: number }[],
): Verdict[] {
  const free = new Map(stock.map((s) => [keyOf(s), s.total - s.reserved]));
  return candidates.map((candidate) => {
    const wanted = new Map<string, { skuId: string; units: number }>();
    for (const row of candidate.rows) {
      const key = keyOf(row);
      wanted.set(key, { skuId: row.skuId, units: (wanted.get(key)?.units ?? 0) + row.quantity });
    }
    const short = [...wanted].filter(([key, { units }]) => units > (free.get(key) ?? 0)).map(([, { skuId }]) => skuId);
    short.push(...candidate.ended.filter((skuId) => !short.includes(skuId)));
    if (short.length === 0) for (const [key, { units }] of wanted) free.set(key, (free.get(key) ?? 0) - units);
    return { candidate, short };
  });
}
