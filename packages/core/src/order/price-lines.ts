/**
 * Prices an order from the catalogue, through a short cache, and says where each SKU's units are taken: at the gate or
 * in the ledger. The commit checks prices, limits and modes again (design section 6).
 */
import { type Failure, MAX_MINOR, type Minor, minorUnits, refuse, times } from '../domain/index.ts';
import type { Sql } from '../platform/index.ts';
import type { OrderLineInput } from './order-input.ts';
import { type CatalogueEntry, type GateMode, readEntries } from './read-entries.ts';

/** Nobody pays an old price by it: another price than the one sent is looked up anew, and the commit checks again. */
const CACHE_MS = 10_000;
const CACHE_MAX = 20_000;

type SeenEntry = CatalogueEntry & { readonly seenAt: number };

export interface PricedLine extends OrderLineInput {
  readonly name: string;
  readonly lineMinor: Minor;
  readonly gateMode: GateMode;
  /** Units of this SKU are counted per buyer (P23). */
  readonly buyerLimited: boolean;
}

export interface PriceList {
  /** @returns the lines with names and one currency, or UNKNOWN_SKU, PRICE_CHANGED, LIMIT_EXCEEDED or INVALID_INPUT. */
  price(lines: readonly OrderLineInput[]): Promise<{ kind: 'priced'; lines: PricedLine[]; currency: string } | Failure>;
  /** Forgets what it knows of these SKUs: the commit or the gate has seen something else. */
  forget(lines: readonly Pick<OrderLineInput, 'shopId' | 'skuId'>[]): void;
}

const nameOf = ({ shopId, skuId }: Pick<OrderLineInput, 'shopId' | 'skuId'>) => `${shopId}/${skuId}`;

export function createPriceList(sql: Sql): PriceList {
  const cache = new Map<string, SeenEntry>();

  /** Each line's entry: as seen lately at the price that the buyer saw, or as read now. */
  const entriesOf = async (lines: readonly OrderLineInput[]): Promise<Map<string, CatalogueEntry>> => {
    const found = new Map<string, CatalogueEntry>();
    for (const line of lines) {
      const entry = cache.get(nameOf(line));
      if (entry?.priceMinor === line.unitPriceMinor && performance.now() - entry.seenAt < CACHE_MS)
        found.set(nameOf(line), entry);
      else cache.delete(nameOf(line));
    }
    const missing = lines.filter((line) => !found.has(nameOf(line)));
    if (missing.length === 0) return found;
    const entries = await readEntries(sql, missing);
    if (cache.size + entries.length > CACHE_MAX) cache.clear();
    for (const entry of entries) {
      cache.set(nameOf(entry), { ...entry, seenAt: performance.now() });
      found.set(nameOf(entry), entry);
    }
    return found;
  };

  return {
    forget: (lines) => {
      for (const line of lines) cache.delete(nameOf(line));
    },
    price: async (lines) => priceLines(lines, await entriesOf(lines)),
  };
}

function priceLines(
  lines: readonly OrderLineInput[],
  entries: ReadonlyMap<string, CatalogueEntry>,
): Awaited<ReturnType<PriceList['price']>> {
  const priced: PricedLine[] = [];
  const currencies = new Set<string>();
  let totalMinor = 0;
  for (const line of lines) {
    const entry = entries.get(nameOf(line));
    if (!entry) return refuse('UNKNOWN_SKU', `${line.skuId} is not sold in ${line.shopId}`, { field: 'lines' });
    if (entry.priceMinor !== line.unitPriceMinor)
      return refuse('PRICE_CHANGED', `the price of ${entry.name} has changed`, { field: 'lines' });
    if (entry.orderLimit !== null && line.quantity > entry.orderLimit) return overOrderLimit(line, entry);
    totalMinor += line.unitPriceMinor * line.quantity;
    if (totalMinor > MAX_MINOR)
      return refuse('LIMIT_EXCEEDED', 'the total is more than one order may have', { field: 'lines' });
    currencies.add(entry.currency);
    const { name, gateMode, buyerLimited } = entry;
    const lineMinor = times(minorUnits(line.unitPriceMinor), line.quantity);
    priced.push({ ...line, name, lineMinor, gateMode, buyerLimited });
  }
  const [currency, ...others] = currencies;
  if (!currency || others.length > 0) return refuse('INVALID_INPUT', 'one order has one currency', { field: 'lines' });
  return { kind: 'priced', lines: priced, currency };
}

function overOrderLimit(line: OrderLineInput, { name, orderLimit }: CatalogueEntry): Failure {
  const { shopId, skuId, quantity: wanted } = line;
  return refuse('LIMIT_EXCEEDED', `At most ${orderLimit} of ${name} in one order.`, {
    lines: [{ shopId, skuId, wanted, left: orderLimit ?? 0 }],
  });
}
