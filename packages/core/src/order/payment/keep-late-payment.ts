/**
 * Money that its order cannot use: one durable row a payment (P28, P30) and one incident that names it, in the
 * transaction that judged it. Never silence. A payment whose amount cannot be read has no row: what to give back is
 * for a person to find out, and its incident stays open.
 */
import { openIncident } from '../../ops/index.ts';
import type { Tx } from '../../platform/index.ts';
import { incidentOf, type LateCause } from './late/late-payment.ts';

interface LateNotice {
  readonly eventId: string;
  readonly amountMinor: number | null;
  readonly currency: string | null;
}

export async function keepLatePayment(
  tx: Tx,
  trade: { readonly id: string } | null,
  notice: LateNotice,
  cause: LateCause,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const { eventId, amountMinor, currency } = notice;
  const tradeId = trade?.id ?? null;
  if (amountMinor !== null && currency !== null)
    await tx.query(
      `INSERT INTO tinystore_order.late_payment (event_id, trade_id, cause, amount_minor, currency)
       VALUES ($1, $2, $3, $4, $5) ON CONFLICT (event_id) DO NOTHING`,
      [eventId, tradeId, cause, amountMinor, currency],
    );
  await openIncident(tx, {
    ...incidentOf({ cause, eventId, tradeId }),
    detail: { tradeId, amountMinor, currency, ...detail },
  });
}
