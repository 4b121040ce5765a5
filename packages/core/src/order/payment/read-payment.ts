/** What the payment page shows about one intent, by the database's clock. */
import type { PaymentIntentStatus } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';

export interface PaymentView {
  readonly intentId: string;
  readonly tradeId: string;
  readonly status: PaymentIntentStatus;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly payUntil: Date;
  readonly extended: boolean;
  readonly serverNow: Date;
}

export async function readPayment(sql: Sql, intentId: string): Promise<PaymentView | null> {
  const { rows } = await sql.query<PaymentView>(
    `SELECT p.id AS "intentId", p.trade_id AS "tradeId", p.status, p.attempt, p.amount_minor AS "amountMinor", p.currency,
            t.pay_until AS "payUntil", t.extended_at IS NOT NULL AS extended, ops.clock_now() AS "serverNow"
     FROM tinystore_order.payment_intent p JOIN tinystore_order.trade t ON t.id = p.trade_id WHERE p.id = $1`,
    [intentId],
  );
  return rows[0] ?? null;
}
