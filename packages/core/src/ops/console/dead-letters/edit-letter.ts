/**
 * Edit and redrive: a message whose form is wrong is mended by hand and tried again. It stays the same event about the
 * same units and money (P33); where its old text cannot be read, its row in the outbox says what those were.
 */
import { type Failure, refuse } from '../../../domain/index.ts';
import { inTransaction, type Pool, type Sql } from '../../../platform/index.ts';
import { readLetter } from '../../../stream/index.ts';
import { appendAudit } from '../../index.ts';
import { changedProtected } from './protected-fields.ts';
import type { ByPerson, Redriven } from './redrive-letters.ts';

interface Row {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly body: string;
}

export async function editLetter(
  pool: Pool,
  { id, body, actor, reason }: ByPerson & { readonly id: number; readonly body: string },
): Promise<Redriven> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<Row>(
      `SELECT id, status, type, topic, partition, "offset", key, body FROM tinystore_inventory.dead_letter
       WHERE id = $1 FOR UPDATE`,
      [id],
    );
    const [letter] = rows;
    if (!letter) return refuse('NOT_FOUND', 'There is no such message.');
    if (letter.status !== 'DEAD')
      return refuse('WRONG_STATE', `Only a message that was given up can be edited; this one is ${letter.status}.`);
    const refusal = await refuseEdit(tx, letter, body);
    if (refusal) return refusal;
    await tx.query(
      `UPDATE tinystore_inventory.dead_letter SET body = $2, next_attempt_at = ops.clock_now(), asked_by = $3,
              updated_at = ops.clock_now() WHERE id = $1`,
      [id, body, actor],
    );
    await appendAudit(tx, {
      actor,
      action: 'dead-letter.edit',
      target: `dead letter ${id}`,
      reason,
      before: { body: letter.body },
      after: { body },
    });
    return { kind: 'asked', letters: 1 };
  });
}

async function refuseEdit(tx: Sql, letter: Row, body: string): Promise<Failure | undefined> {
  const read = readLetter({ ...letter, body });
  if (read.kind === 'unreadable')
    return refuse('INVALID_INPUT', `Nobody could read that: ${read.reason}`, { field: 'body' });
  const next: unknown = JSON.parse(body);
  const before = parse(letter.body) ?? (await fromOutbox(tx, read.event.id));
  if (before === undefined)
    return refuse('INVALID_INPUT', 'Nothing says what this message was; it cannot be edited.', { field: 'body' });
  const changed = changedProtected(before, next);
  if (changed.length === 0) return undefined;
  return refuse('INVALID_INPUT', `An edit may not change ids, SKU, quantity or money: ${changed.join(', ')}`, {
    field: 'body',
  });
}

function parse(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

async function fromOutbox(tx: Sql, eventId: string): Promise<unknown> {
  const { rows } = await tx.query<{ id: string; type: string; key: string; payload: unknown }>(
    `SELECT event_id AS id, type, key, trace_id AS "traceId", payload FROM tinystore_order.outbox_event WHERE event_id = $1`,
    [eventId],
  );
  return rows[0];
}
