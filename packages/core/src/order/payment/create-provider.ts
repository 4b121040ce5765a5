/** The payment provider that the configuration names; called once by each process that talks to it. */
import type { Config, Pool } from '../../platform/index.ts';
import { createDemoProvider, type DemoProvider } from './demo/demo-provider.ts';
import type { PaymentProvider } from './provider.ts';

export interface ConfiguredProvider {
  readonly provider: PaymentProvider;
  /** Its page and its deliveries: only in the profiles demo and test. */
  readonly demoProvider: DemoProvider | undefined;
}

export function createProvider({ process: about, secrets }: Config, pool: Pool): ConfiguredProvider {
  const demo = createDemoProvider({ pool, publicUrl: about.PUBLIC_URL, webhookSecret: secrets.PAYMENT_WEBHOOK_SECRET });
  return { provider: demo, demoProvider: about.HOLDFAST_PROFILE === 'production' ? undefined : demo };
}
