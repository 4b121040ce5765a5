/**
 * Job payment.send-refunds: sends what is REQUESTED, what FAILED and what has no answer yet, each under its own id, so
 * that the provider pays once however often it is asked. Nothing waits for the provider inside a transaction: SENT is
 * committed before the call, the answer is booked after it, and a process that dies in between only repeats.
 */
import { classifyDatabaseError, inTransaction } from '../../platform/index.ts';
import type { PaymentProvider, RefundOutcome } from '../payment/provider.ts';
import { changeTrades, type TradeDeps } from '../trade/change-trades.ts';
import { type ClaimedRefund, claimRefunds } from './claim-refunds.ts';
import { failRefund, settleRefund, tellPeople } from './settle-refund.ts';

export interface SendRefundsDeps extends TradeDeps {
  readonly provider: Pick<PaymentProvider, 'refund' | 'readRefund'>;
}
export interface SentRefunds {
  readonly scanned: number;
  readonly changed: number;
  readonly failed: number;
}

const PAGE = 10;
/** Shorter than the first wait of a claim. */
const CALL_LIMIT_MS = 15_000;
/** An answer that stays away this often is shown to a person. */
const TELL_AFTER_ATTEMPTS = 5;

export async function sendRefunds(
  deps: SendRefundsDeps,
  { limit, budgetMs = 40_000 }: { readonly limit: number; readonly budgetMs?: number },
): Promise<SentRefunds> {
  const until = performance.now() + budgetMs;
  let [scanned, changed, failed] = [0, 0, 0];
  while (scanned < limit && performance.now() < until) {
    const page = await inTransaction(deps.pool, (tx) => claimRefunds(tx, Math.min(PAGE, limit - scanned)));
    if (page.length === 0) break;
    const done = await Promise.allSettled(page.map((refund) => sendOne(deps, refund)));
    for (const [index, result] of done.entries()) {
      if (result.status === 'rejected')
        deps.log.error({ error: String(result.reason), refundId: page[index]?.refundId }, 'a refund could not be sent');
      if (result.status === 'fulfilled' && result.value) changed += 1;
      else failed += 1;
    }
    scanned += page.length;
    const outage = done.find((r) => r.status === 'rejected' && classifyDatabaseError(r.reason) === 'outage');
    if (outage?.status === 'rejected') throw outage.reason;
  }
  return { scanned, changed, failed };
}

/** True when the money is back or accepted. */
async function sendOne(deps: SendRefundsDeps, refund: ClaimedRefund): Promise<boolean> {
  const answer = await ask(deps, refund);
  return changeTrades(deps, async (tx) => {
    switch (answer.kind) {
      case 'succeeded':
        await settleRefund(tx, refund, answer.providerRef);
        return true;
      case 'accepted':
        // On its way at the provider: asked how it went until the money is back.
        await tx.query(
          `UPDATE tinystore_order.refund SET provider_ref = $2, updated_at = ops.clock_now() WHERE id = $1 AND status = 'SENT'`,
          [refund.refundId, answer.providerRef],
        );
        return true;
      case 'refused':
        await failRefund(tx, refund, answer.reason);
        return false;
      case 'unknown':
        if (refund.attempts >= TELL_AFTER_ATTEMPTS) await tellPeople(tx, refund, 'no answer from the provider');
        return false;
    }
  });
}

/** An error of the call is no answer: the money may have gone back (P15). */
async function ask({ provider, log }: SendRefundsDeps, refund: ClaimedRefund): Promise<RefundOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<RefundOutcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unknown' }), CALL_LIMIT_MS);
  });
  try {
    return await Promise.race([readOrSend(provider, refund), tooLate]);
  } catch (error) {
    log.warn({ error: String(error), refundId: refund.refundId }, 'the provider could not be asked for a refund');
    return { kind: 'unknown' };
  } finally {
    clearTimeout(timer);
  }
}

async function readOrSend(provider: SendRefundsDeps['provider'], refund: ClaimedRefund): Promise<RefundOutcome> {
  const { refundId, intentRef, amountMinor, currency, providerRef } = refund;
  if (providerRef !== null) {
    const { kind } = await provider.readRefund({ providerRef });
    if (kind === 'refused') return { kind, reason: 'refused by the provider after it had accepted it' };
    if (kind !== 'not-found') return kind === 'unknown' ? { kind } : { kind, providerRef };
  }
  return provider.refund({ refundId, intentRef, amountMinor, currency });
}
