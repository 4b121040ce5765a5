/** Coupons for tests, and the way from an order with one to its money. */
import { mint } from '../../domain/index.ts';
import { type Pool, silentLog } from '../../platform/index.ts';
import type { TestShop } from '../../testing/test-shop.ts';
import { createDemoProvider } from '../payment/demo/demo-provider.ts';
import { signNotice } from '../payment/notice-signature.ts';
import { receiveNotice } from '../payment/receive-notice.ts';
import { startPayment } from '../payment/start-payment.ts';

export interface TestCoupon {
  readonly code: string;
  readonly kind: 'FIXED' | 'PERCENT';
  readonly value: number;
  readonly usageLimit: number;
  readonly currency?: string;
  /** From and until, from now. */
  readonly validFor?: readonly [string, string];
}

export async function makeCoupon(pool: Pool, coupon: TestCoupon): Promise<void> {
  const [from, until] = coupon.validFor ?? ['-1 minute', '1 day'];
  await pool.query(
    `INSERT INTO tinystore_order.coupon (code, kind, value, currency, usage_limit, valid_from, valid_until)
     VALUES ($1, $2, $3, $4, $5, ops.clock_now() + $6::interval, ops.clock_now() + $7::interval)`,
    [
      coupon.code,
      coupon.kind,
      coupon.value,
      coupon.kind === 'FIXED' ? (coupon.currency ?? 'EUR') : null,
      coupon.usageLimit,
      from,
      until,
    ],
  );
}

export async function readCoupon(pool: Pool, code: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ used: number }>('SELECT used FROM tinystore_order.coupon WHERE code = $1', [
    code,
  ]);
  return rows[0]?.used;
}

export async function readLocks(pool: Pool, tradeIds: readonly string[]): Promise<(string | undefined)[]> {
  const { rows } = await pool.query<{ id: string; status: string }>(
    'SELECT trade_id AS id, status FROM tinystore_order.promotion_lock WHERE trade_id = ANY($1::uuid[])',
    [tradeIds],
  );
  const statusOf = new Map(rows.map((row) => [row.id, row.status]));
  return tradeIds.map((id) => statusOf.get(id));
}

export interface CouponTrade {
  readonly tradeId: string;
  readonly buyerId: string;
  readonly totalMinor: number;
}

/** @throws when the order is refused */
export async function placeWithCoupon(
  shop: TestShop,
  wanted: { readonly lines: readonly { skuId: string; quantity: number }[]; readonly coupon: string },
): Promise<CouponTrade> {
  const buyerId = mint<'BuyerId'>();
  const placed = await shop.order(wanted.lines, { buyerId, coupon: wanted.coupon });
  if (placed.kind !== 'placed') throw new Error(placed.message);
  return { tradeId: placed.tradeId, buyerId, totalMinor: placed.totalMinor };
}

const SECRET = 'test-payment-webhook-secret-0123456789';

/** Starts payments and sends the provider's word that they succeeded. */
export function payDesk(shop: Pick<TestShop, 'pool'>) {
  const { pool } = shop;
  const deps = {
    pool,
    log: silentLog,
    waker: { wake: () => undefined },
    webhookSecrets: [SECRET],
    provider: createDemoProvider({ pool, publicUrl: 'http://shop.example', webhookSecret: SECRET }),
  };
  const start = ({ tradeId, buyerId }: CouponTrade) => startPayment(deps, { tradeId, buyerId });
  return {
    start,
    /** @throws when the payment cannot be started or its notice is refused */
    async pay(trade: CouponTrade): Promise<void> {
      const started = await start(trade);
      if (started.kind !== 'started') throw new Error(started.message);
      const { intentId, attempt, amountMinor, currency } = started;
      const body = { id: `evt_${mint()}`, type: 'payment.succeeded', intentId, attempt, amountMinor, currency };
      const rawBody = Buffer.from(JSON.stringify({ ...body, createdAt: new Date().toISOString() }));
      const signature = signNotice(rawBody, [SECRET], Math.floor(Date.now() / 1000));
      const receipt = await receiveNotice(deps, { rawBody, signature });
      if (receipt.kind === 'refused') throw new Error(receipt.message);
    },
  };
}
