import { createPool } from '../../platform/index.ts';
import { closeChecked } from '../../testing/close-checked.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { createDemoProvider } from './demo/demo-provider.ts';
import { signNotice } from './notice-signature.ts';
import { describeProvider } from './provider-behaviour.testing.ts';
import { createStripeProvider } from './stripe/stripe-provider.ts';
import { startStripeStub } from './stripe/stripe-stub.testing.ts';
import { buyAtStub } from './stripe/stripe-stub-buyer.testing.ts';

const SECRET = 'whsec_provider-behaviour-test-0123456789';

describeProvider('demo', async () => {
  const database = await createTestDatabase('provider_demo');
  const { pool } = database;
  const nowhere = createPool({ url: 'postgres://127.0.0.1:1/none', name: 'mute', max: 1 });
  const options = { publicUrl: 'http://127.0.0.1:1', webhookSecret: SECRET };
  const provider = createDemoProvider({ ...options, pool });
  return {
    provider,
    secret: SECRET,
    mute: createDemoProvider({ ...options, pool: nowhere }),
    async buyer(intentRef, does) {
      const [sent] = (await provider.act(does, intentRef)) ?? [];
      const { rows } = await pool.query<{ body: string }>('SELECT body FROM demo_provider.notice WHERE event_id = $1', [
        sent?.eventId,
      ]);
      const rawBody = Buffer.from(rows[0]?.body ?? '');
      return { rawBody, signature: signNotice(rawBody, [SECRET], Math.floor(Date.now() / 1000)) };
    },
    async deadline(intentRef) {
      const { rows } = await pool.query<{ at: Date }>(
        'SELECT expires_at AS at FROM demo_provider.intent WHERE intent_ref = $1',
        [intentRef],
      );
      return rows[0]?.at.toISOString() ?? 'none';
    },
    async close() {
      await nowhere.end();
      await closeChecked(database, false);
    },
  };
});

describeProvider('Stripe', async () => {
  const secretKey = 'sk_test_0123456789';
  const stub = await startStripeStub(secretKey);
  // Carries every call out on the same books, and never answers.
  const silent = await startStripeStub(secretKey, stub.books);
  silent.loseReplies = Number.POSITIVE_INFINITY;
  const options = { secretKey, payPageUrl: 'https://pay.example/form?shop=holdfast' };
  return {
    provider: createStripeProvider({ ...options, apiUrl: stub.url }),
    mute: createStripeProvider({ ...options, apiUrl: silent.url }),
    secret: SECRET,
    buyer: async (intentRef, does) => buyAtStub(stub, SECRET, intentRef, does),
    deadline: async (intentRef) => stub.books.intents.get(intentRef)?.metadata.pay_until ?? 'none',
    async close() {
      stub.close();
      silent.close();
    },
  };
});
