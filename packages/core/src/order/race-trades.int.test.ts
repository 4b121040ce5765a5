import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaymentDesk, type PaymentDesk } from './payment/payment-desk.testing.ts';
import { raceTrades } from './race-trades.testing.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('races');
});
afterAll(() => desk.close());

test('C02 – 400 races of confirm, cancel and end by time have one winner each, and money and stock agree (10 000 in the long run)', async () => {
  const winners = await raceTrades(desk, 400);
  expect(winners.confirmed + winners.cancelled + winners.timedOut).toBe(400);
  for (const wins of Object.values(winners)) expect(wins).toBeGreaterThan(0);
}, 120_000);
