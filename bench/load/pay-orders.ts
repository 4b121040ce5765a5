/**
 * Pays a sample of orders as buyers do: start the payment, then the provider's signed notice over HTTP, eight at a
 * time. Answers milliseconds from the notice's receipt to CONFIRMED, both by the database's clock, sorted.
 */
import { createHmac } from 'node:crypto';
import { mint } from '@holdfast/core/domain';
import type { Pool } from '@holdfast/core/platform';
import { until } from '@holdfast/core/testing';
import type { BenchEnvironment } from '../prepare/bench-environment.ts';

const AT_ONCE = 8;

export async function payOrders(
  pool: Pool,
  env: BenchEnvironment,
  sample: readonly { tradeId: string; cookie: string }[],
): Promise<number[]> {
  const waiting = [...sample];
  const paid: string[] = [];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      await payOne(env, next);
      paid.push(next.tradeId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const times = () => confirmTimes(pool, paid);
  return until(
    'every paid order is CONFIRMED',
    async () => ((await times()).length >= paid.length ? times() : undefined),
    60_000,
  );
}

async function payOne(env: BenchEnvironment, { tradeId, cookie }: { tradeId: string; cookie: string }): Promise<void> {
  const started = await fetch(`${env.baseUrl}/api/trpc/order.startPayment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ json: { tradeId } }),
  });
  const answer = (await started.json()) as {
    result?: { data: { json: { intentId: string; attempt: number; amountMinor: number; currency: string } } };
  };
  if (!answer.result) throw new Error(`payment did not start: ${started.status} ${JSON.stringify(answer)}`);
  const { intentId, attempt, amountMinor, currency } = answer.result.data.json;
  const body = JSON.stringify({
    id: `evt_${mint()}`,
    type: 'payment.succeeded',
    intentId,
    attempt,
    amountMinor,
    currency,
    createdAt: new Date().toISOString(),
  });
  const at = Math.floor(Date.now() / 1000);
  const mac = createHmac('sha256', env.webhookSecret).update(`${at}.${body}`).digest('hex');
  const notice = await fetch(`${env.baseUrl}/api/webhooks/payment`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'payment-signature': `t=${at},v1=${mac}` },
    body,
  });
  if (!notice.ok) throw new Error(`notice refused: ${notice.status} ${await notice.text()}`);
}

async function confirmTimes(pool: Pool, tradeIds: readonly string[]): Promise<number[]> {
  const { rows } = await pool.query<{ ms: number }>(
    `SELECT (extract(epoch FROM max(r.confirmed_at) - max(e.received_at)) * 1000)::float8 AS ms
     FROM tinystore_inventory.inventory_reservation r JOIN tinystore_order.payment_event e ON e.trade_id = r.trade_id
     WHERE r.trade_id = ANY($1::uuid[]) AND r.status = 'CONFIRMED' GROUP BY r.trade_id ORDER BY 1`,
    [tradeIds],
  );
  return rows.map((row) => row.ms);
}
