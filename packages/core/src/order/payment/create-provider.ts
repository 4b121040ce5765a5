/** The payment provider that the configuration names; called once by each process that talks to it. */
import type { Config, Pool } from '../../platform/index.ts';
import { createDemoProvider, type DemoProvider } from './demo/demo-provider.ts';
import type { PaymentProvider } from './provider.ts';
import { createStripeProvider } from './stripe/stripe-provider.ts';

export interface ConfiguredProvider {
  readonly provider: PaymentProvider;
  /** Its page and its deliveries: only in the profiles demo and test. */
  readonly demoProvider: DemoProvider | undefined;
}

export function createProvider({ process: about, secrets, payment }: Config, pool: Pool): ConfiguredProvider {
  if (payment.PAYMENT_PROVIDER === 'stripe')
    return {
      provider: createStripeProvider({
        apiUrl: payment.STRIPE_API_URL,
        secretKey: payment.STRIPE_SECRET_KEY ?? '',
        payPageUrl: payment.STRIPE_PAY_PAGE_URL ?? '',
      }),
      demoProvider: undefined,
    };
  const demo = createDemoProvider({ pool, publicUrl: about.PUBLIC_URL, webhookSecret: secrets.PAYMENT_WEBHOOK_SECRET });
  return { provider: demo, demoProvider: about.HOLDFAST_PROFILE === 'production' ? undefined : demo };
}
