/**
 * One answer a key, for ever: a repeat of a refund or return gets what the first got and changes nothing, and the same
 * key with another wish is refused. Refusals are judged anew. The caller holds the lock of the trade.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { type Failure, isRefused, refuse } from '../../domain/index.ts';
import type { Tx } from '../../platform/index.ts';

export interface KeyedCommand {
  readonly tradeId: string;
  readonly idempotencyKey: string;
  readonly actor: string;
  /** All that the command asks for. */
  readonly wish: unknown;
}

const KEY = /^[A-Za-z0-9._-]{8,64}$/;

export async function onceByKey<A extends { readonly kind: string }>(
  tx: Tx,
  { tradeId, idempotencyKey, actor, wish }: KeyedCommand,
  answers: z.ZodType<A>,
  work: () => Promise<A | Failure>,
): Promise<A | Failure> {
  if (!KEY.test(idempotencyKey))
    return refuse('INVALID_INPUT', 'A key has 8 to 64 letters, digits, dots, dashes.', { field: 'idempotencyKey' });
  const fingerprint = createHash('sha256').update(JSON.stringify(wish)).digest('hex');
  const { rows } = await tx.query<{ fingerprint: string; answer: unknown }>(
    'SELECT fingerprint, answer FROM tinystore_order.after_sale_command WHERE trade_id = $1 AND idempotency_key = $2',
    [tradeId, idempotencyKey],
  );
  const before = rows[0];
  if (before)
    return before.fingerprint === fingerprint
      ? answers.parse(before.answer)
      : refuse('IDEMPOTENCY_MISMATCH', 'This key was used for another refund or return.', { tradeId });
  const answer = await work();
  if (!isRefused(answer))
    await tx.query(
      `INSERT INTO tinystore_order.after_sale_command (trade_id, idempotency_key, fingerprint, answer, actor)
       VALUES ($1, $2, $3, $4, $5)`,
      [tradeId, idempotencyKey, fingerprint, JSON.stringify(answer), actor],
    );
  return answer;
}
