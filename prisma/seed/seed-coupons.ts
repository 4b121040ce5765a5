/** The demo's coupons, valid for a year from the first seed. */
import type { Pool } from '@holdfast/core/platform';
import { COUPONS } from './catalogue.ts';

export async function seedCoupons(pool: Pool): Promise<void> {
  for (const { code, kind, value, currency, usageLimit } of COUPONS)
    await pool.query(
      `INSERT INTO tinystore_order.coupon (code, kind, value, currency, usage_limit, valid_until)
       VALUES ($1, $2, $3, $4, $5, ops.clock_now() + interval '1 year') ON CONFLICT DO NOTHING`,
      [code, kind, value, currency, usageLimit],
    );
}
