import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mint } from '../../../domain/index.ts';
import { setClockOffset } from '../../../testing/clock.ts';
import { closeChecked } from '../../../testing/close-checked.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { isSignedNotice } from '../notice-signature.ts';
import { readDemoNotice } from './demo-notice.ts';
import { createDemoProvider, type DemoProvider } from './demo-provider.ts';

const SECRET = 'demo-provider-test-secret-0123456789abc';

interface Seen {
  path: string;
  signed: boolean;
  notice: ReturnType<typeof readDemoNotice>;
}
let answers: number[] = [];
let seen: Seen[] = [];
let database: TestDatabase;
let provider: DemoProvider;

const shop = createServer((req, res) => {
  void buffer(req).then((body) => {
    seen.push({
      path: req.url ?? '',
      signed: isSignedNotice(body, String(req.headers['payment-signature']), [SECRET], Date.now() / 1000),
      notice: readDemoNotice(body),
    });
    res.writeHead(answers.shift() ?? 200).end('{}');
  });
});
beforeAll(async () => {
  database = await createTestDatabase('demo_provider');
  await new Promise<void>((resolve) => {
    shop.listen(0, '127.0.0.1', resolve);
  });
  provider = createDemoProvider({
    pool: database.pool,
    publicUrl: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/`,
    webhookSecret: SECRET,
  });
});
afterAll(async () => {
  shop.close();
  await closeChecked(database, false);
});
beforeEach(() => {
  answers = [];
  seen = [];
});

async function opened(): Promise<string> {
  const intentId = mint();
  const payUntil = new Date(Date.now() + 900_000).toISOString();
  const intent = { intentId, attempt: 2, amountMinor: 5997, currency: 'EUR', payUntil, providerRef: null };
  expect(await provider.openIntent(intent)).toMatchObject({ kind: 'opened', intentRef: intentId });
  return intentId;
}

test('a payment is booked and told by a signed notice with the exact amount', async () => {
  const intentId = await opened();
  expect(await provider.act('pay', intentId)).toMatchObject([{ delivered: true, tries: 1 }]);
  expect(seen).toMatchObject([
    {
      path: '/api/webhooks/payment',
      signed: true,
      notice: { kind: 'SUCCEEDED', intentId, attempt: 2, amountMinor: 5997, currency: 'EUR' },
    },
  ]);
  expect(await provider.readIntent(intentId)).toMatchObject({ receivedMinor: 5997, refundedMinor: 0 });
});

test('a notice is sent again under the same event id, later from try to try, until the shop has stored it', async () => {
  const intentId = await opened();
  answers = [503, 500, 302];
  const [first] = (await provider.act('decline', intentId)) ?? [];
  expect(first).toMatchObject({ delivered: false, tries: 1 });
  expect(await provider.deliver({ limit: 10 })).toEqual([]);
  try {
    for (const [minutes, outcome] of [
      [10, { tries: 2, delivered: false }],
      [20, { tries: 3, delivered: false }],
      [30, { tries: 4, delivered: true }],
    ] as const) {
      await setClockOffset(database.pool, minutes * 60_000);
      expect(await provider.deliver({ limit: 10 })).toMatchObject([{ eventId: first?.eventId, ...outcome }]);
    }
    await setClockOffset(database.pool, 24 * 3_600_000);
    expect(await provider.deliver({ limit: 10 })).toEqual([]);
  } finally {
    await setClockOffset(database.pool, 0);
  }
  expect(new Set(seen.map(({ notice }) => notice?.eventId))).toEqual(new Set([first?.eventId]));
  expect(seen.every(({ signed, notice }) => signed && notice?.kind === 'FAILED')).toBe(true);
});

test('with the shop away the charge stands, and another process delivers its notice', async () => {
  const intentId = await opened();
  const options = { pool: database.pool, webhookSecret: SECRET };
  const away = createDemoProvider({ ...options, publicUrl: 'http://127.0.0.1:1' });
  expect(await away.act('pay', intentId)).toMatchObject([{ delivered: false, tries: 1 }]);
  expect(await provider.readIntent(intentId)).toMatchObject({ status: 'SUCCEEDED', receivedMinor: 5997 });
  await setClockOffset(database.pool, 60_000);
  try {
    expect(await provider.deliver({ limit: 10 })).toMatchObject([{ delivered: true, tries: 2 }]);
  } finally {
    await setClockOffset(database.pool, 0);
  }
  expect(seen).toMatchObject([{ notice: { kind: 'SUCCEEDED', intentId } }]);
});

test('paying twice makes two charges, a wrong amount differs from the order, paying late tells after the time to pay', async () => {
  const intentId = await opened();
  await provider.act('pay-twice', intentId);
  expect(new Set(seen.map(({ notice }) => notice?.chargeRef)).size).toBe(2);
  await provider.act('pay-wrong-amount', intentId);
  expect(seen.at(-1)?.notice?.amountMinor).toBe(5998);
  expect(await provider.act('pay-late', intentId)).toMatchObject([{ delivered: false, tries: 0 }]);
  await setClockOffset(database.pool, 899_000);
  try {
    expect(await provider.deliver({ limit: 10 })).toEqual([]);
    await setClockOffset(database.pool, 903_000);
    expect(await provider.deliver({ limit: 10 })).toMatchObject([{ delivered: true }]);
  } finally {
    await setClockOffset(database.pool, 0);
  }
});

test('an intent that was never opened cannot be paid', async () => {
  expect(await provider.act('pay', mint())).toBeUndefined();
  expect(await provider.readIntent(mint())).toEqual({ kind: 'not-found' });
});
