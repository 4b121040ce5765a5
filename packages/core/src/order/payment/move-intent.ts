/** Moves a trade's payment intent, from the states that may be left for the new one (section 4) and from no other. */
import { PAYMENT_INTENT, type PaymentIntentStatus, sourcesOf } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';

export interface Intent {
  readonly id: string;
  readonly status: PaymentIntentStatus;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly currency: string;
}

export async function readIntentOf(tx: Tx, tradeId: string): Promise<Intent> {
  const {
    rows: [intent],
  } = await tx.query<Intent>(
    `SELECT id, status, attempt, amount_minor AS "amountMinor", currency FROM tinystore_order.payment_intent WHERE trade_id = $1`,
    [tradeId],
  );
  if (!intent) throw new Error(`trade ${tradeId} has no payment intent`);
  return intent;
}

export async function moveIntent(tx: Tx, tradeId: string, to: PaymentIntentStatus): Promise<void> {
  await tx.query(
    `UPDATE tinystore_order.payment_intent SET status = $2, updated_at = ops.clock_now()
     WHERE trade_id = $1 AND status = ANY($3::text[])`,
    [tradeId, to, sourcesOf(PAYMENT_INTENT, to)],
  );
}
