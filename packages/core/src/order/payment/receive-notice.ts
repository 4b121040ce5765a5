/**
 * A notice of the payment provider. Verified, stored, and only then answered: `stored` means the money will be
 * judged, now or by the job payment.judge, whatever happens next. Each event id has one effect.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';
import { orBusy, type TradeDeps } from '../trade/change-trades.ts';
import { judgeNotice } from './judge-notice.ts';
import type { Verdict } from './judge-stored.ts';
import type { Notice } from './notice.ts';
import { isSignedNotice } from './notice-signature.ts';
import type { PaymentProvider } from './provider.ts';

export interface ReceiveNoticeDeps extends TradeDeps {
  readonly provider: PaymentProvider;
  /** The current secret and, while they rotate, the previous one. */
  readonly webhookSecrets: readonly string[];
}

export type NoticeReceipt =
  | { readonly kind: 'stored'; readonly eventId: string; readonly verdict: Verdict | null }
  /** Signed, and about something that is no payment: nothing to store, and no reason to send it again. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'bad-signature' };

export async function receiveNotice(
  deps: ReceiveNoticeDeps,
  request: { readonly rawBody: Buffer; readonly signature: string | undefined },
): Promise<NoticeReceipt | Failure> {
  if (!isSignedNotice(request.rawBody, request.signature, deps.webhookSecrets, Date.now() / 1000))
    return { kind: 'bad-signature' };
  const notice = deps.provider.readNotice(request.rawBody);
  if (!notice) return refuse('INVALID_INPUT', 'This is not a payment notice.');
  if (notice === 'ignored') return { kind: 'ignored' };
  return storeNotice(deps, notice);
}

/** Also for what was learned by asking the provider (compare-intents.ts). */
export async function storeNotice(
  deps: TradeDeps,
  notice: Notice,
): Promise<Extract<NoticeReceipt, { kind: 'stored' }> | Failure> {
  const refused = await orBusy(() => store(deps.pool, notice));
  if (refused) return refused;
  return { kind: 'stored', eventId: notice.eventId, verdict: await judgeNow(deps, notice.eventId) };
}

/** A notice that cannot be judged now stays stored: the job judges it, and expiry passes over its trade (P25). */
async function judgeNow(deps: TradeDeps, eventId: string): Promise<Verdict | null> {
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
    `WITH named AS MATERIALIZED (
       SELECT p.trade_id FROM tinystore_order.payment_intent p WHERE p.id = $2::uuid OR p.provider_ref = $3 LIMIT 1
     ), held AS MATERIALIZED (
       SELECT t.id FROM tinystore_order.trade t WHERE t.id = (SELECT trade_id FROM named) FOR KEY SHARE SKIP LOCKED
     )
     INSERT INTO tinystore_order.payment_event
       (event_id, intent_id, intent_ref, trade_id, charge_ref, kind, attempt, amount_minor, currency, payload, received_at)
     SELECT $1, $2, $3, (SELECT trade_id FROM named), $4, $5, $6::integer, $7::bigint, $8, $9::jsonb, ops.clock_now()
     FROM (SELECT count(*) FROM held) AS look
     ON CONFLICT (event_id) DO NOTHING`,
    [
      notice.eventId,
      notice.intentId,
      notice.intentRef,
      notice.chargeRef,
      notice.kind,
      notice.attempt,
      notice.amountMinor,
      notice.currency,
      notice.payload,
    ],
  );
}
