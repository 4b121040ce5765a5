/** An order as it is tried: priced, with its coupon worked out. Nothing is taken or stored here. */
import { type Failure, refuse, sum } from '../domain/index.ts';
import type { PreparedOrder } from './build-order.ts';
import type { PlaceOrderDeps } from './order-desk.ts';
import type { OrderLineInput, PlaceOrderInput } from './order-input.ts';
import { applyCoupon } from './promotion/apply-coupon.ts';

export interface OrderToPrepare {
  readonly command: PlaceOrderInput & { readonly buyerId: string; readonly traceId: string };
  /** Summed: one line a SKU. */
  readonly lines: readonly OrderLineInput[];
  readonly fingerprint: string;
  readonly deadline: number;
}

export async function prepareOrder(
  deps: Pick<PlaceOrderDeps, 'prices' | 'pool' | 'config'>,
  { command, lines, fingerprint, deadline }: OrderToPrepare,
): Promise<{ readonly kind: 'prepared'; readonly order: PreparedOrder } | Failure> {
  const busy = () => refuse('BUSY', 'The shop is busy. Please try again.', { retryAfterMs: 500 });
  const priced = await deps.prices.price(lines).catch(busy);
  if (priced.kind === 'refused') return priced;
  const order = {
    buyerId: command.buyerId,
    input: command,
    fingerprint,
    traceId: command.traceId,
    lines: priced.lines,
    currency: priced.currency,
    deadline,
  };
  if (command.coupon === undefined) return { kind: 'prepared', order };
  const applied = await applyCoupon(deps.pool, {
    code: command.coupon,
    currency: priced.currency,
    grossMinor: sum(priced.lines.map((line) => line.lineMinor)),
    remote: deps.config.order.ORDER_PROMOTION_COMMIT_ASYNC_ENABLED,
  }).catch(busy);
  return applied.kind === 'refused' ? applied : { kind: 'prepared', order: { ...order, coupon: applied.coupon } };
}
