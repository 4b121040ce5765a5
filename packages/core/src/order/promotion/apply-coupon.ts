/**
 * What a coupon takes off an order, worked out before anything is taken. The commit works it out again and judges
 * whether the coupon may still be used; a use is counted there, or by the promotion stage when locks travel as events.
 */
import { type Failure, type Minor, minorUnits, refuse } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';

export interface AppliedCoupon {
  readonly code: string;
  /** More than nothing, less than the order. */
  readonly discountMinor: Minor;
  /** The use is locked by events (`order.promotion.commit-async-enabled`). */
  readonly remote: boolean;
}

interface CouponRow {
  readonly kind: 'FIXED' | 'PERCENT';
  readonly value: number;
  readonly currency: string | null;
  readonly active: boolean;
  readonly validNow: boolean;
  readonly usedUp: boolean;
}

export type CouponRefusal = 'UNKNOWN' | 'NOT_VALID_NOW' | 'USED_UP' | 'OTHER_CURRENCY' | 'TOO_SMALL' | 'CHANGED';

const SENTENCES: Record<CouponRefusal, string> = {
  UNKNOWN: 'There is no such coupon.',
  NOT_VALID_NOW: 'This coupon is not valid at this time.',
  USED_UP: 'This coupon has been used as often as it may.',
  OTHER_CURRENCY: 'This coupon is for another currency.',
  TOO_SMALL: 'This order is too small for the coupon.',
  CHANGED: 'The coupon has changed. Please order again.',
};

export function refuseCoupon(why: CouponRefusal): Failure {
  return refuse('COUPON_REFUSED', SENTENCES[why], { field: 'coupon' });
}

export function isCouponRefusal(why: unknown): why is CouponRefusal {
  return typeof why === 'string' && Object.hasOwn(SENTENCES, why);
}

export async function applyCoupon(
  sql: Sql,
  order: { readonly code: string; readonly currency: string; readonly grossMinor: number; readonly remote: boolean },
): Promise<{ readonly kind: 'applied'; readonly coupon: AppliedCoupon } | Failure> {
  const { rows } = await sql.query<CouponRow>(
    `SELECT kind, value, currency, active, used >= usage_limit AS "usedUp",
            ops.clock_now() >= valid_from AND ops.clock_now() < valid_until AS "validNow"
     FROM tinystore_order.coupon WHERE code = $1`,
    [order.code],
  );
  const [row] = rows;
  if (!row?.active) return refuseCoupon('UNKNOWN');
  if (!row.validNow) return refuseCoupon('NOT_VALID_NOW');
  if (row.kind === 'FIXED' && row.currency !== order.currency) return refuseCoupon('OTHER_CURRENCY');
  if (row.usedUp) return refuseCoupon('USED_UP');
  const discount = discountOf(row, order.grossMinor);
  if (discount < 1 || discount >= order.grossMinor) return refuseCoupon('TOO_SMALL');
  return { kind: 'applied', coupon: { code: order.code, discountMinor: minorUnits(discount), remote: order.remote } };
}

/** Percentages are rounded down to the minor unit; both factors together stay exact as a bigint. */
export function discountOf({ kind, value }: Pick<CouponRow, 'kind' | 'value'>, grossMinor: number): number {
  return kind === 'FIXED' ? value : Number((BigInt(grossMinor) * BigInt(value)) / 100n);
}
