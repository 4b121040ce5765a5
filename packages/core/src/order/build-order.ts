/** The parts of one order attempt, with ids minted for this attempt alone (P13). */
import { type Minor, minorUnits, mint, splitByShare, sum } from '../domain/index.ts';
import type { Hold } from '../gate/index.ts';
import type { PlaceOrderInput } from './order-input.ts';
import type { PricedLine } from './price-lines.ts';
import type { AppliedCoupon } from './promotion/apply-coupon.ts';

export interface PreparedOrder {
  readonly buyerId: string;
  readonly input: PlaceOrderInput;
  readonly fingerprint: string;
  readonly traceId: string;
  readonly lines: readonly PricedLine[];
  readonly currency: string;
  readonly coupon?: AppliedCoupon | undefined;
  /** The request ends by then (performance.now()); no work is begun for it after that. */
  readonly deadline: number;
}

export interface AttemptLine extends Hold {
  readonly shopOrderId: string;
  readonly name: string;
  readonly unitPriceMinor: number;
  readonly lineMinor: Minor;
  /** This line's share of the order's discount. */
  readonly discountMinor: Minor;
  readonly gateMode: PricedLine['gateMode'];
  readonly buyerLimited: boolean;
}

export interface OrderAttempt {
  readonly tradeId: string;
  readonly intentId: string;
  /** What is to be paid, the discount taken off. */
  readonly totalMinor: Minor;
  readonly shopOrders: readonly {
    readonly id: string;
    readonly shopId: string;
    readonly lines: readonly AttemptLine[];
  }[];
}

/** Shop orders in sorted shop order: every order takes its shops in the same sequence. */
export function buildAttempt(order: PreparedOrder): OrderAttempt {
  const discount = order.coupon?.discountMinor ?? minorUnits(0);
  const amounts = order.lines.map((line) => line.lineMinor);
  const shares = discount === 0 ? [] : splitByShare(discount, amounts);
  const lines = order.lines.map((line, index) => ({ ...line, discountMinor: shares[index] ?? minorUnits(0) }));
  const byShop = Map.groupBy(lines, (line) => line.shopId);
  const shopOrders = [...byShop.keys()].sort().map((shopId) => {
    const id = mint<'ShopOrderId'>();
    const own = (byShop.get(shopId) ?? []).map((line) => ({
      ...line,
      shopOrderId: id,
      reservationId: mint<'ReservationId'>(),
    }));
    return { id, shopId, lines: own };
  });
  return { tradeId: mint(), intentId: mint(), totalMinor: minorUnits(sum(amounts) - discount), shopOrders };
}

export function linesOf(attempt: OrderAttempt): AttemptLine[] {
  return attempt.shopOrders.flatMap((so) => so.lines);
}

/** Only these are taken at the gate; the others are reserved by the commit itself. */
export function isAtGate(line: Pick<AttemptLine, 'gateMode'>): boolean {
  return line.gateMode === 'REDIS';
}
