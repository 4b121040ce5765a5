import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPaymentDesk, type PaymentDesk } from './payment/payment-desk.testing.ts';
import { raceTrades } from './race-trades.testing.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('long_races');
});
afterAll(() => desk.close());

// 10 000 in two halves, so that each can be run by itself.
test.each(['first', 'second'])(
  'C02 – 10 000 races of confirm, cancel and end by time have one winner each, and money and stock agree: %s half',
  async () => {
    const winners = await raceTrades(desk, 5000);
    expect(winners.confirmed + winners.cancelled + winners.timedOut).toBe(5000);
    for (const wins of Object.values(winners)) expect(wins).toBeGreaterThan(100);
  },
  1_200_000,
);
