import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDemoProvider, type DemoProvider } from './demo-provider.ts';
import { parseNotice } from './notice-body.ts';
import { isSignedNotice } from './notice-signature.ts';

const SECRET = 'demo-provider-test-secret-0123456789abc';
const charge = { intentId: '01890a5d-ac96-774b-bcce-b302099a8057', attempt: 2, amountMinor: 5997, currency: 'EUR' };

interface Seen {
  path: string;
  signed: boolean;
  notice: ReturnType<typeof parseNotice>;
}
let answers: number[] = [];
let seen: Seen[] = [];
let provider: DemoProvider;

const shop = createServer((req, res) => {
  void buffer(req).then((body) => {
    seen.push({
      path: req.url ?? '',
      signed: isSignedNotice(body, String(req.headers['payment-signature']), [SECRET], Date.now() / 1000),
      notice: parseNotice(body),
    });
    res.writeHead(answers.shift() ?? 200).end('{}');
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  provider = createDemoProvider({
    publicUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`,
    webhookSecret: SECRET,
    firstWaitMs: 1,
  });
});
afterAll(() => {
  shop.close();
});
beforeEach(() => {
  answers = [];
  seen = [];
});

test('a payment is told by a signed notice with the exact amount', async () => {
  expect(await provider.pay(charge)).toMatchObject([{ delivered: true, tries: 1 }]);
  expect(seen).toMatchObject([
    {
      path: '/api/webhooks/payment',
      signed: true,
      notice: { kind: 'SUCCEEDED', intentId: charge.intentId, attempt: 2, amountMinor: 5997, currency: 'EUR' },
    },
  ]);
});

test('a notice is sent again under the same event id until the shop has stored it', async () => {
  answers = [503, 500, 302];
  const [delivery] = await provider.decline(charge);
  expect(delivery).toMatchObject({ delivered: true, tries: 4 });
  expect(new Set(seen.map(({ notice }) => notice?.eventId))).toEqual(new Set([delivery?.eventId]));
  expect(seen.every(({ signed, notice }) => signed && notice?.kind === 'FAILED')).toBe(true);
});

test('after five tries, or with the shop away, the provider says that the notice was not delivered', async () => {
  answers = [503, 503, 503, 503, 503];
  expect(await provider.pay(charge)).toMatchObject([{ delivered: false, tries: 5 }]);
  const away = createDemoProvider({ publicUrl: 'http://127.0.0.1:1', webhookSecret: SECRET, firstWaitMs: 1 });
  expect(await away.pay(charge)).toMatchObject([{ delivered: false, tries: 5 }]);
});

test('paying twice sends two event ids, a wrong amount differs from the charge', async () => {
  await provider.payTwice(charge);
  expect(new Set(seen.map(({ notice }) => notice?.eventId)).size).toBe(2);
  await provider.payWrongAmount(charge);
  expect(seen.at(-1)?.notice?.amountMinor).toBe(5998);
});
