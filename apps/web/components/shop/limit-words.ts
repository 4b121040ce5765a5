/** What a shopper is told of a SKU's limits before the order refuses (P23); nothing where there is none. */
export interface Limits {
  readonly orderLimit: number | null;
  readonly buyerLimit: number | null;
  readonly buyerWindowSeconds: number | null;
}

export function limitWords({ orderLimit, buyerLimit, buyerWindowSeconds }: Limits): string | undefined {
  const parts = [
    ...(orderLimit === null ? [] : [`${orderLimit} in one order`]),
    ...(buyerLimit === null ? [] : [`${buyerLimit} for one buyer${within(buyerWindowSeconds)}`]),
  ];
  return parts.length === 0 ? undefined : `At most ${parts.join(' and ')}.`;
}

function within(seconds: number | null): string {
  if (seconds === null) return '';
  const hours = Math.max(1, Math.round(seconds / 3600));
  return hours === 1 ? ' within an hour' : ` within ${hours} hours`;
}
