/** The payment provider behind an `Io`. It never throws for a lost answer: it says "unknown" (P15). */
import type { PaymentProvider } from '../../order/index.ts';
import { type Io, NoReply } from './io.ts';

export function watchProvider(provider: PaymentProvider, io: Io): PaymentProvider {
  const step = <T>(what: string, run: () => Promise<T>) =>
    io({ server: 'provider', what }, run).catch((error: unknown) => {
      if (error instanceof NoReply) return { kind: 'unknown' } as const;
      throw error;
    });
  return {
    ...provider,
    openIntent: (intent) => step('openIntent', () => provider.openIntent(intent)),
    refund: (order) => step('refund', () => provider.refund(order)),
    readRefund: (refund) => step('readRefund', () => provider.readRefund(refund)),
    readIntent: (intentRef) => step('readIntent', () => provider.readIntent(intentRef)),
  };
}
