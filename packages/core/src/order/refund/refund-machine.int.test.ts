/** Every state of a refund against every answer of the provider, on the real database (design section 4). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REFUND, type RefundStatus } from '../../domain/index.ts';
import type { RefundOutcome } from '../payment/provider.ts';
import { openRefundDesk, type RefundDesk } from './refund-desk.testing.ts';
import { refundOrder } from './refund-order.ts';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await openRefundDesk('refund_machine');
});
afterAll(() => desk.close());

const ANSWERS: Record<RefundOutcome['kind'], RefundOutcome> = {
  succeeded: { kind: 'succeeded', providerRef: 're_test' },
  accepted: { kind: 'accepted', providerRef: 're_test' },
  refused: { kind: 'refused', reason: 'the card is closed' },
  unknown: { kind: 'unknown' },
};
type Answer = keyof typeof ANSWERS;
const BY: Record<RefundStatus, readonly Answer[]> = {
  REQUESTED: [],
  SENT: ['unknown'],
  FAILED: ['refused'],
  SUCCEEDED: ['succeeded'],
};
const SENT_ANEW: Record<Answer, RefundStatus> = {
  succeeded: 'SUCCEEDED',
  accepted: 'SENT',
  refused: 'FAILED',
  unknown: 'SENT',
};
const TABLE: Record<RefundStatus, Record<Answer, RefundStatus>> = {
  REQUESTED: SENT_ANEW,
  SENT: SENT_ANEW,
  FAILED: SENT_ANEW,
  SUCCEEDED: { succeeded: 'SUCCEEDED', accepted: 'SUCCEEDED', refused: 'SUCCEEDED', unknown: 'SUCCEEDED' },
};

/** Sends what is due now, with this answer. */
async function send(refundId: string, answer: Answer): Promise<RefundStatus> {
  await desk.pool.query(
    `UPDATE tinystore_order.refund SET next_attempt_at = ops.clock_now() WHERE id = $1 AND status <> 'SUCCEEDED'`,
    [refundId],
  );
  const calls = desk.provider.calls.length;
  desk.provider.answers.splice(0, Number.POSITIVE_INFINITY, ANSWERS[answer]);
  await desk.sendOnly();
  if (desk.provider.calls.length === calls) desk.provider.answers.length = 0;
  // Nobody else's turn comes while the next one is looked at.
  await desk.pool.query(
    `UPDATE tinystore_order.refund SET next_attempt_at = ops.clock_now() + interval '1 hour' WHERE status <> 'SUCCEEDED'`,
  );
  const { rows } = await desk.pool.query<{ status: RefundStatus }>(
    'SELECT status FROM tinystore_order.refund WHERE id = $1',
    [refundId],
  );
  return rows[0]?.status ?? 'REQUESTED';
}

const cases = Object.entries(TABLE).flatMap(([from, row]) =>
  Object.entries(row).map(([answer, to]) => [from as RefundStatus, answer as Answer, to] as const),
);

test.each(cases)('A refund that is %s and gets the answer "%s" is %s', async (from, answer, to) => {
  const { tradeId } = await desk.paid();
  const wish = { kind: 'rest', units: 'NO_RESTOCK' } as const;
  const asked = await refundOrder(desk.deps, { tradeId, wish, idempotencyKey: 'machine-1', by: desk.operator });
  if (asked.kind !== 'refunded') throw new Error(asked.message);
  const refundId = asked.refunds[0]?.refundId ?? '';
  let status: RefundStatus = 'REQUESTED';
  for (const step of BY[from]) status = await send(refundId, step);
  expect(status).toBe(from);
  const calls = desk.provider.calls.length;
  expect(await send(refundId, answer)).toBe(to);
  expect(desk.provider.calls.length - calls).toBe(from === 'SUCCEEDED' ? 0 : 1);
  expect(to === from || REFUND.SENT.some((state) => state === to)).toBe(true);
});
