/** Prices an order from the catalogue, through a short cache; the commit checks every price again (design section 6). */
import { type Failure, MAX_MINOR, type Minor, minorUnits, refuse, times } from '../domain/index.ts';
import type { Sql } from '../platform/index.ts';
import type { OrderLineInput } from './order-input.ts';

/** Nobody pays an old price by it: another price than the one sent is looked up anew, and the commit checks again. */
const CACHE_MS = 10_000;
const CACHE_MAX = 20_000;

interface CatalogueEntry {
  readonly name: string;
  readonly priceMinor: number;
  readonly currency: string;
  readonly seenAt: number;
}

export interface PricedLine extends OrderLineInput {
  readonly name: string;
  readonly lineMinor: Minor;
}

export interface PriceList {
  /** @returns the lines with names and one currency, or UNKNOWN_SKU, PRICE_CHANGED, LIMIT_EXCEEDED or INVALID_INPUT. */
  price(lines: readonly OrderLineInput[]): Promise<{ kind: 'priced'; lines: PricedLine[]; currency: string } | Failure>;
  /** Forgets what it knows: a commit has seen another price. */
  forget(): void;
}

const nameOf = ({ shopId, skuId }: Pick<OrderLineInput, 'shopId' | 'skuId'>) => `${shopId}/${skuId}`;

export function createPriceList(sql: Sql): PriceList {
  const cache = new Map<string, CatalogueEntry>();

  const load = async (missing: readonly OrderLineInput[]) => {
    const { rows } = await sql.query<{
      shop_id: string;
      id: string;
      name: string;
      price_minor: number;
      currency: string;
    }>(
      `SELECT s.shop_id, s.id, concat_ws(', ', p.name, nullif(s.name, '')) AS name, s.price_minor, h.currency
       FROM unnest($1::text[], $2::text[]) AS w(shop_id, id)
       JOIN tinystore_order.sku s ON s.shop_id = w.shop_id AND s.id = w.id AND s.active
       JOIN tinystore_order.product p ON p.id = s.product_id
       JOIN tinystore_order.shop h ON h.id = s.shop_id`,
      [missing.map((l) => l.shopId), missing.map((l) => l.skuId)],
    );
    if (cache.size + rows.length > CACHE_MAX) cache.clear();
    for (const row of rows)
      cache.set(nameOf({ shopId: row.shop_id, skuId: row.id }), {
        name: row.name,
        priceMinor: row.price_minor,
        currency: row.currency,
        seenAt: performance.now(),
      });
  };
  const isKnown = (line: OrderLineInput) => {
    const entry = cache.get(nameOf(line));
    return entry?.priceMinor === line.unitPriceMinor && performance.now() - entry.seenAt < CACHE_MS;
  };

  return {
    forget: () => cache.clear(),
    async price(lines) {
      const missing = lines.filter((line) => !isKnown(line));
      for (const line of missing) cache.delete(nameOf(line));
      if (missing.length > 0) await load(missing);
      const priced: PricedLine[] = [];
      const currencies = new Set<string>();
      let totalMinor = 0;
      for (const line of lines) {
        const entry = cache.get(nameOf(line));
        if (!entry) return refuse('UNKNOWN_SKU', `${line.skuId} is not sold in ${line.shopId}`, { field: 'lines' });
        if (entry.priceMinor !== line.unitPriceMinor)
          return refuse('PRICE_CHANGED', `the price of ${entry.name} has changed`, { field: 'lines' });
        totalMinor += line.unitPriceMinor * line.quantity;
        if (totalMinor > MAX_MINOR)
          return refuse('LIMIT_EXCEEDED', 'the total is more than one order may have', { field: 'lines' });
        currencies.add(entry.currency);
        priced.push({ ...line, name: entry.name, lineMinor: times(minorUnits(line.unitPriceMinor), line.quantity) });
      }
      const [currency, ...others] = currencies;
      if (!currency || others.length > 0)
        return refuse('INVALID_INPUT', 'one order has one currency', { field: 'lines' });
      return { kind: 'priced', lines: priced, currency };
    },
  };
}
