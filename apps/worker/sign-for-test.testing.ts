/** A success notice as the provider would sign it, for tests that need no HTTP. */
import { createHmac } from 'node:crypto';
import { mint } from '@holdfast/core/domain';
import type { PaymentStarted } from '@holdfast/core/order';

export function signForTest(payment: PaymentStarted, secret: string): { rawBody: Buffer; signature: string } {
  const { intentId, attempt, amountMinor, currency } = payment;
  const body = { id: `evt_${mint()}`, type: 'payment.succeeded', intentId, attempt, amountMinor, currency };
  const rawBody = Buffer.from(JSON.stringify({ ...body, createdAt: new Date().toISOString() }));
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${at}.`).update(rawBody).digest('hex');
  return { rawBody, signature: `t=${at},v1=${mac}` };
}
