/** A success notice as the provider would sign it, for tests that need no HTTP. */
import { createHmac } from 'node:crypto';
import { mint } from '@holdfast/core/domain';
import type { PaymentStarted } from '@holdfast/core/order';

export interface SignedNotice {
  readonly rawBody: Buffer;
  readonly signature: string;
}

export function signForTest(payment: PaymentStarted, secret: string): SignedNotice {
  const { intentId, attempt, amountMinor, currency } = payment;
  const body = { id: `evt_${mint()}`, type: 'payment.succeeded', intentId, attempt, amountMinor, currency };
  return signBody(JSON.stringify({ ...body, createdAt: new Date().toISOString() }), secret);
}

export function signBody(body: string, secret: string): SignedNotice {
  const rawBody = Buffer.from(body);
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', secret).update(`${at}.`).update(rawBody).digest('hex');
  return { rawBody, signature: `t=${at},v1=${mac}` };
}
