import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { inTransaction } from '../../platform/index.ts';
import { openPaymentDesk, type PaymentDesk } from '../payment/payment-desk.testing.ts';
import { type RefundRequest, requestRefund } from './request-refund.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('request_refund');
});
afterAll(() => desk.close());

async function secondPayment(): Promise<RefundRequest> {
  const trade = await desk.trade();
  await desk.notify(trade);
  const eventId = `evt_${mint()}`;
  await desk.notify(trade, { id: eventId });
  const request = { tradeId: trade.tradeId, eventId, amountMinor: trade.totalMinor, currency: 'EUR' };
  return { ...request, cause: 'SECOND', idempotencyKey: `second:${eventId}`, actor: 'system', reason: 'paid twice' };
}

const ask = (request: RefundRequest) => inTransaction(desk.pool, (tx) => requestRefund(tx, request));
const asked = async ({ eventId }: RefundRequest) =>
  (await desk.pool.query('SELECT id, status, amount_minor FROM tinystore_order.refund WHERE event_id = $1', [eventId]))
    .rows;

test('P30 – asked many times at once under one key, the money goes back once', async () => {
  const request = await secondPayment();
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(request)));
  expect(new Set(answers.map(({ refundId }) => refundId)).size).toBe(1);
  expect(await asked(request)).toEqual([
    { id: answers[0]?.refundId, status: 'REQUESTED', amount_minor: request.amountMinor },
  ]);
});

test('P31 – refunds of one payment together never pass what it brought', async () => {
  const request = await secondPayment();
  const parts = await Promise.allSettled(
    Array.from({ length: 6 }, (_, part) =>
      ask({ ...request, amountMinor: 500, idempotencyKey: `${request.idempotencyKey}:${part}` }),
    ),
  );
  expect(parts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  expect(await asked(request)).toHaveLength(3);
});

test('a key that has asked for one refund is refused for another', async () => {
  const request = await secondPayment();
  await ask({ ...request, amountMinor: 100 });
  await expect(ask({ ...request, amountMinor: 200 })).rejects.toThrow('another refund');
  await expect(ask({ ...request, currency: 'USD', idempotencyKey: 'other-key' })).rejects.toThrow('no money in USD');
  expect(await asked(request)).toHaveLength(1);
});
