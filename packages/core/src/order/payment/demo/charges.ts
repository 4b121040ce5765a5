/** Charges at the demo provider, each stored together with the notice that will tell the shop of it. */
import { mint } from '../../../domain/index.ts';
import type { Tx } from '../../../platform/index.ts';
import type { DemoNoticeBody } from './demo-notice.ts';
import type { DemoIntent } from './intents.ts';

export interface NewCharge {
  readonly status: 'SUCCEEDED' | 'FAILED';
  readonly amountMinor: number;
  /** The notice waits until a second after the time to pay. */
  readonly held?: boolean;
}

/** Returns the event id of its notice. */
export async function storeCharge(tx: Tx, intent: DemoIntent, charge: NewCharge): Promise<string> {
  const chargeRef = `ch_${mint()}`;
  const eventId = `evt_${mint()}`;
  const body: DemoNoticeBody = {
    id: eventId,
    type: charge.status === 'SUCCEEDED' ? 'payment.succeeded' : 'payment.failed',
    intentId: intent.intentRef,
    chargeId: chargeRef,
    attempt: intent.attempt,
    amountMinor: charge.amountMinor,
    currency: intent.currency,
    createdAt: new Date().toISOString(),
  };
  await tx.query(
    `INSERT INTO demo_provider.charge (charge_ref, intent_ref, attempt, status, amount_minor, currency)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [chargeRef, intent.intentRef, intent.attempt, charge.status, charge.amountMinor, intent.currency],
  );
  await tx.query(
    `INSERT INTO demo_provider.notice (event_id, charge_ref, body, next_attempt_at)
     SELECT $1, $2, $3, CASE WHEN $4 THEN greatest(ops.clock_now(), i.expires_at) + interval '1 second' ELSE ops.clock_now() END
     FROM demo_provider.intent i WHERE i.intent_ref = $5`,
    [eventId, chargeRef, JSON.stringify(body), charge.held ?? false, intent.intentRef],
  );
  return eventId;
}
