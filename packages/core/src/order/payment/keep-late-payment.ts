/**
 * Money that its order cannot use: one durable row a payment (P28, P30) and one incident that names it, in the
 * transaction that judged it. Never silence.
 */
import { openIncident } from '../../ops/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { LockedTrade } from '../trade/lock-trade.ts';

interface LateNotice {
  readonly eventId: string;
  readonly amountMinor: number | null;
  readonly currency: string | null;
}

export async function keepLatePayment(
  tx: Tx,
  trade: LockedTrade,
  notice: LateNotice,
  cause: 'LATE' | 'SECOND',
): Promise<void> {
  await tx.query(
    `INSERT INTO tinystore_order.late_payment (event_id, trade_id, cause, amount_minor, currency)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (event_id) DO NOTHING`,
    [notice.eventId, trade.id, cause, notice.amountMinor, notice.currency],
  );
  await openIncident(tx, {
    kind: cause === 'LATE' ? 'LATE_MONEY' : 'SECOND_PAYMENT',
    subject: notice.eventId,
    detail: { tradeId: trade.id, amountMinor: notice.amountMinor, currency: notice.currency },
  });
}
