/**
 * Every refusal a caller can get: a closed list (design section 13). Refusals are returned, not thrown; only a
 * broken invariant throws. `retryable` says whether the same request may be sent again as it is.
 */
export const FAILURES = {
  SOLD_OUT: { retryable: false },
  LIMIT_EXCEEDED: { retryable: false },
  OPEN_ORDER: { retryable: false },
  UNKNOWN_SKU: { retryable: false },
  PRICE_CHANGED: { retryable: false },
  INVALID_INPUT: { retryable: false },
  IDEMPOTENCY_MISMATCH: { retryable: false },
  GATE_CLOSED: { retryable: true },
  BUSY: { retryable: true },
  OUTCOME_UNKNOWN: { retryable: true },
  ALREADY_PAID: { retryable: false },
  ALREADY_CLOSED: { retryable: false },
  PAYMENT_EXPIRED: { retryable: false },
  AMOUNT_MISMATCH: { retryable: false },
  EXTENSION_USED: { retryable: false },
  PROMOTION_PENDING: { retryable: true },
  COUPON_REFUSED: { retryable: false },
  PROVIDER_AWAY: { retryable: true },
  WRONG_STATE: { retryable: false },
  /** Not of the order but of one line of it, or of a return of its units. */
  LINE_STATE: { retryable: false },
  REFUND_EXCEEDED: { retryable: false },
  BELOW_HELD: { retryable: false },
  STALE_VERSION: { retryable: false },
  FORBIDDEN: { retryable: false },
  UNAUTHENTICATED: { retryable: false },
  NOT_FOUND: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>;

export type FailureCode = keyof typeof FAILURES;

/** What is left of a line that was refused: units of the stock, or units that this buyer may still have. */
export interface LineLeft {
  readonly shopId: string;
  readonly skuId: string;
  readonly wanted: number;
  readonly left: number;
}

export interface Failure {
  readonly kind: 'refused';
  readonly code: FailureCode;
  /** A plain sentence for people. */
  readonly message: string;
  readonly lines?: readonly LineLeft[];
  readonly tradeId?: string;
  readonly field?: string;
  readonly retryAfterMs?: number;
}

export function refuse(
  code: FailureCode,
  message: string,
  more: Partial<Omit<Failure, 'kind' | 'code' | 'message'>> = {},
): Failure {
  return { kind: 'refused', code, message, ...more };
}

export function isRefused(value: { kind: string }): value is Failure {
  return value.kind === 'refused';
}
