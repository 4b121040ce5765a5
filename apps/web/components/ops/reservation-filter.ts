/** The filter of the reservations list. It lives in the address, so that a link shows the same list. */
export const RESERVATION_STATES = ['PRE_DEDUCTED', 'CONFIRMED', 'RELEASED', 'EXPIRED'] as const;
export const FILTER_FIELDS = ['trade', 'shop', 'sku'] as const;

export type FilterField = (typeof FILTER_FIELDS)[number];
export interface ReservationFilter extends Readonly<Partial<Record<FilterField, string>>> {
  readonly status?: (typeof RESERVATION_STATES)[number] | undefined;
}

/** An unknown status is no filter; the other fields are judged by the server. */
export function readFilter(given: { get(name: string): unknown }): ReservationFilter {
  const status = RESERVATION_STATES.find((state) => state === given.get('status'));
  const fields = FILTER_FIELDS.flatMap((name) => {
    const text = given.get(name);
    return typeof text === 'string' && text.trim() !== '' ? [[name, text.trim()]] : [];
  });
  return { ...Object.fromEntries(fields), ...(status && { status }) };
}

export function addressOf(filter: ReservationFilter): string {
  const given = [...FILTER_FIELDS, 'status' as const].flatMap((name) => {
    const text = filter[name];
    return text ? [[name, text]] : [];
  });
  return `/ops/reservations${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`;
}

/** The same in the server's names. */
export function queryOf({ status, trade, shop, sku }: ReservationFilter) {
  return {
    ...(status && { status }),
    ...(trade && { tradeId: trade }),
    ...(shop && { shopId: shop }),
    ...(sku && { skuId: sku }),
  };
}
