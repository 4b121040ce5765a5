/**
 * Tells the provider of an intent, after the transaction that decided it. A provider that is away changes nothing
 * here: the buyer tries again, and the same intent is opened again.
 */
import { type Failure, refuse } from '../../domain/index.ts';
import type { TradeDeps } from '../trade/change-trades.ts';
import type { OpenIntent, OpenOutcome, PaymentProvider } from './provider.ts';

export interface ProviderDeps extends TradeDeps {
  readonly provider: PaymentProvider;
}

export async function openAtProvider(
  { pool, log, provider }: ProviderDeps,
  intent: OpenIntent,
): Promise<Extract<OpenOutcome, { kind: 'opened' }> | Failure> {
  const outcome = await provider.openIntent(intent);
  if (outcome.kind !== 'opened') {
    log.error({ outcome, intentId: intent.intentId, provider: provider.name }, 'the provider did not open an intent');
    return refuse('PROVIDER_AWAY', 'The payment service cannot be reached right now; please try again in a moment.', {
      retryAfterMs: 2000,
    });
  }
  if (outcome.intentRef !== intent.providerRef)
    await pool.query(
      'UPDATE tinystore_order.payment_intent SET provider_ref = $2, updated_at = ops.clock_now() WHERE id = $1',
      [intent.intentId, outcome.intentRef],
    );
  return outcome;
}
