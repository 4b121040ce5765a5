/**
 * What a refund or return does to each line, or why it is refused (P31). Pure; judged on locked lines. Units that
 * come back never pass what was sold, money never what was paid.
 */
import { type Failure, refuse, type ShopOrderStatus } from '../../domain/index.ts';
import { dueFor, type LineMoney, moneyLeft } from './line-money.ts';

/** Where units go that come back. */
export type ReturnedUnits = 'RESTOCK' | 'NO_RESTOCK' | 'DAMAGED';

export interface LineState extends LineMoney {
  readonly shopOrderId: string;
  readonly shopId: string;
  readonly shopOrderStatus: ShopOrderStatus;
  readonly skuId: string;
}

export interface LineWish {
  readonly shopOrderId: string;
  readonly skuId: string;
  /** Units that come back; 0 for money alone. */
  readonly quantity: number;
  readonly units: ReturnedUnits;
  /** Instead of what the units are worth. */
  readonly amountMinor?: number | undefined;
}

/** All that is left of the trade, or of one shop order of it. */
export interface RestWish {
  readonly shopOrderId?: string | undefined;
  readonly units: ReturnedUnits;
}

export interface RefundPart {
  readonly line: LineState;
  readonly quantity: number;
  readonly units: ReturnedUnits;
  readonly amountMinor: number;
}
export type RefundDecision = { readonly kind: 'decided'; readonly parts: readonly RefundPart[] } | Failure;

/** REFUNDED too: units may come back after their money went. */
const SOLD: readonly ShopOrderStatus[] = ['CONFIRMED', 'SHIPPED', 'RECEIVED', 'REFUNDED'];

export function decideLines(lines: readonly LineState[], wishes: readonly LineWish[]): RefundDecision {
  const parts: RefundPart[] = [];
  const seen = new Set<LineState>();
  for (const wish of wishes) {
    const line = lines.find((l) => l.shopOrderId === wish.shopOrderId && l.skuId === wish.skuId);
    if (!line) return refuse('NOT_FOUND', `There is no ${wish.skuId} in this order.`, { field: 'lines' });
    if (seen.has(line)) return refuse('INVALID_INPUT', `${wish.skuId} is named twice.`, { field: 'lines' });
    seen.add(line);
    const part = decideLine(line, wish);
    if ('kind' in part) return part;
    parts.push(part);
  }
  return parts.length > 0
    ? { kind: 'decided', parts }
    : refuse('INVALID_INPUT', 'Say what is refunded.', { field: 'lines' });
}

export function decideRest(lines: readonly LineState[], { shopOrderId, units }: RestWish): RefundDecision {
  const own = lines.filter((line) => shopOrderId === undefined || line.shopOrderId === shopOrderId);
  if (own.length === 0) return refuse('NOT_FOUND', 'There is no such shop order.', { field: 'shopOrderId' });
  const left = own.filter((line) => moneyLeft(line) > 0 || line.returned < line.sold);
  if (left.some((line) => !SOLD.includes(line.shopOrderStatus)))
    return refuse('LINE_STATE', 'A part of it is not paid and confirmed.');
  if (left.length === 0) return refuse('REFUND_EXCEEDED', 'All of it has been refunded already.');
  const parts = left.map((line) => ({
    line,
    quantity: line.sold - line.returned,
    units,
    amountMinor: moneyLeft(line),
  }));
  return { kind: 'decided', parts };
}

function decideLine(line: LineState, wish: LineWish): RefundPart | Failure {
  const { skuId } = line;
  const { quantity, units } = wish;
  const unitsLeft = line.sold - line.returned;
  if (!Number.isSafeInteger(quantity) || quantity < 0)
    return refuse('INVALID_INPUT', 'Units are a whole number, 0 or more.', { field: 'quantity' });
  if (!SOLD.includes(line.shopOrderStatus)) return refuse('LINE_STATE', `${skuId} is not paid and confirmed.`);
  if (quantity > unitsLeft)
    return refuse('REFUND_EXCEEDED', `Of ${skuId}, ${unitsLeft} can still come back.`, { field: 'quantity' });
  const amountMinor = wish.amountMinor ?? dueFor(line, quantity);
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0 || (quantity === 0 && amountMinor === 0))
    return refuse('INVALID_INPUT', 'An amount is a whole number of minor units.', { field: 'amountMinor' });
  if (amountMinor > moneyLeft(line))
    return refuse('REFUND_EXCEEDED', `For ${skuId}, ${moneyLeft(line)} of ${line.paidMinor} is left to refund.`, {
      field: 'amountMinor',
    });
  return { line, quantity, units, amountMinor };
}
