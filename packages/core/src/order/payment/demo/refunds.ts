/** Paying back at the demo provider: once a refund id, and never more than was taken in that currency. */
import { UUID_PATTERN } from '../../../domain/index.ts';
import { inTransaction, type Pool, type Sql } from '../../../platform/index.ts';
import type { RefundOrder, RefundOutcome, RefundReading } from '../provider.ts';

export async function refundAtDemo(pool: Pool, order: RefundOrder): Promise<RefundOutcome> {
  return inTransaction(pool, async (tx): Promise<RefundOutcome> => {
    const { rowCount } = await tx.query('SELECT 1 FROM demo_provider.intent WHERE intent_ref = $1 FOR UPDATE', [
      order.intentRef,
    ]);
    if (rowCount !== 1) return { kind: 'refused', reason: 'there is no such payment' };
    const { rows } = await tx.query<{ amount: number; intentRef: string }>(
      'SELECT amount_minor AS amount, intent_ref AS "intentRef" FROM demo_provider.refund WHERE refund_id = $1',
      [order.refundId],
    );
    if (rows[0])
      return rows[0].amount === order.amountMinor && rows[0].intentRef === order.intentRef
        ? done(order.refundId)
        : { kind: 'refused', reason: 'this refund id was used for another refund' };
    const inserted = await tx.query(
      `INSERT INTO demo_provider.refund (refund_id, intent_ref, amount_minor, currency)
       SELECT $1, $2, $3::bigint, $4
       WHERE (SELECT coalesce(sum(c.amount_minor), 0) FROM demo_provider.charge c
              WHERE c.intent_ref = $2 AND c.currency = $4 AND c.status = 'SUCCEEDED')
           - (SELECT coalesce(sum(r.amount_minor), 0) FROM demo_provider.refund r WHERE r.intent_ref = $2 AND r.currency = $4)
           >= $3::bigint`,
      [order.refundId, order.intentRef, order.amountMinor, order.currency],
    );
    return inserted.rowCount === 1 ? done(order.refundId) : { kind: 'refused', reason: 'more than is left to refund' };
  });
}

export async function readDemoRefund(sql: Sql, providerRef: string): Promise<RefundReading> {
  const refundId = providerRef.replace(/^re_/, '');
  if (!UUID_PATTERN.test(refundId)) return { kind: 'not-found' };
  const { rowCount } = await sql.query('SELECT 1 FROM demo_provider.refund WHERE refund_id = $1', [refundId]);
  return { kind: rowCount === 1 ? 'succeeded' : 'not-found' };
}

function done(refundId: string): RefundOutcome {
  return { kind: 'succeeded', providerRef: `re_${refundId}` };
}
