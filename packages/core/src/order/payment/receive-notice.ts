/**
 * A notice of the payment provider. Verified, stored, and only then answered: `stored` means the money will be
 * judged, now or by the job payment.judge, whatever happens next. Each event id has one effect.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import { orBusy, type TradeDeps } from '../trade/change-trades.ts';
import { judgeNotice } from './judge-notice.ts';
import type { Verdict } from './judge-stored.ts';
import { type Notice, parseNotice } from './notice-body.ts';
import { isSignedNotice } from './notice-signature.ts';

export interface ReceiveNoticeDeps extends TradeDeps {
  /** The current secret and, while they rotate, the previous one. */
  readonly webhookSecrets: readonly string[];
}

export type NoticeReceipt =
  | { readonly kind: 'stored'; readonly eventId: string; readonly verdict: Verdict | null }
  | { readonly kind: 'bad-signature' };

export async function receiveNotice(
  deps: ReceiveNoticeDeps,
  request: { readonly rawBody: Buffer; readonly signature: string | undefined },
): Promise<NoticeReceipt | Failure> {
  if (!isSignedNotice(request.rawBody, request.signature, deps.webhookSecrets, Date.now() / 1000))
    return { kind: 'bad-signature' };
  const notice = parseNotice(request.rawBody);
  if (!notice) return refuse('INVALID_INPUT', 'This is not a payment notice.');
  const refused = await orBusy(() => store(deps.pool, notice));
  if (refused) return refused;
  return { kind: 'stored', eventId: notice.eventId, verdict: await judgeNow(deps, notice.eventId) };
}

/** A notice that cannot be judged now stays stored: the job judges it, and expiry passes over its trade (P25). */
async function judgeNow(deps: ReceiveNoticeDeps, eventId: string): Promise<Verdict | null> {
  try {
    return await judgeNotice(deps, eventId);
  } catch (error) {
    deps.log.error({ error, eventId }, 'a stored payment notice could not be judged yet');
    return null;
  }
}

/**
 * One autocommitted statement, so `received_at` is the time at which the notice reached the database (P24).
 * Taking a key share lock on the trade in the same statement, when it is free, makes the end by time pass the
 * trade over between this statement's start and its commit.
 */
async function store(sql: Sql, notice: Notice): Promise<undefined> {
  await sql.query(
    `WITH held AS MATERIALIZED (
       SELECT t.id FROM tinystore_order.payment_intent p JOIN tinystore_order.trade t ON t.id = p.trade_id
       WHERE p.id = $2::uuid FOR KEY SHARE OF t SKIP LOCKED
     )
     INSERT INTO tinystore_order.payment_event
       (event_id, intent_ref, trade_id, kind, attempt, amount_minor, currency, payload, received_at)
     SELECT $1, $3, (SELECT p.trade_id FROM tinystore_order.payment_intent p WHERE p.id = $2::uuid),
            $4, $5::integer, $6::bigint, $7, $8::jsonb, ops.clock_now()
     FROM (SELECT count(*) FROM held) AS look
     ON CONFLICT (event_id) DO NOTHING`,
    [
      notice.eventId,
      notice.intentId,
      notice.intentRef,
      notice.kind,
      notice.attempt,
      notice.amountMinor,
      notice.currency,
      notice.payload,
    ],
  );
}
