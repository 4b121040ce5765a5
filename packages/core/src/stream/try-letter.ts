/**
 * One more try of a dead letter, outside its partition (P33): inbox mark, effect and the letter's end in one
 * transaction that holds its key. A failure is counted in a transaction of its own, guarded by the count it saw. Two
 * workers that meet at one key do not wait for each other.
 */
import { databaseErrorCode, inTransaction, type Sql } from '../platform/index.ts';
import type { ConsumerDefinition, ConsumerDeps } from './consumer-definition.ts';
import { storable } from './dead-letter.ts';
import { endLetter } from './end-letter.ts';
import { fingerprintOf } from './fingerprint.ts';
import { isOutage, mayPass, reasonOf } from './judge-error.ts';
import { IS_OPEN, LETTER_COLUMNS, type OpenLetter, readLetter } from './open-letter.ts';
import { fateAfter } from './retry-policy.ts';
import { lockPassed, voidWaiting } from './void-waiting.ts';

export type LetterDeps = Pick<ConsumerDeps, 'pool' | 'log' | 'metrics' | 'letters' | 'retry'>;
export type TryOutcome = 'resolved' | 'failed' | 'not-now';

/** How long a try waits for a lock that somebody holds; other keys are tried beside it. */
const LOCK_TIMEOUT_MS = 1000;

/** @throws for an outage, which counts as no try */
export async function tryLetter(deps: LetterDeps, definition: ConsumerDefinition, id: number): Promise<TryOutcome> {
  let seen: OpenLetter | undefined;
  try {
    return await inTransaction(deps.pool, async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      seen = await lockDue(tx, definition, id, deps.retry.maxMs);
      if (!seen) return 'not-now';
      await handleLetter(deps, definition, tx, seen);
      return 'resolved';
    });
  } catch (error) {
    if (!seen || isOutage(error)) throw error;
    await countFailure(deps, seen, error);
    return 'failed';
  }
}

/** Locks the key, then judges anew whether it is this letter's turn. */
async function lockDue(
  tx: Sql,
  definition: ConsumerDefinition,
  id: number,
  longestWaitMs: number,
): Promise<OpenLetter | undefined> {
  const { rows: head } = await tx.query(
    `SELECT 1 FROM tinystore_inventory.dead_letter d JOIN tinystore_inventory.failing_key f USING (consumer, key)
     WHERE d.id = $1 FOR UPDATE OF f SKIP LOCKED`,
    [id],
  );
  const { rows } = await tx.query<OpenLetter>(
    `SELECT ${LETTER_COLUMNS} FROM tinystore_inventory.dead_letter d
     WHERE d.id = $1 AND d.consumer = $2 AND (d.key = '' OR $3) AND ${IS_OPEN}
       AND CASE WHEN d.status = 'PARKED' THEN true
         ELSE d.next_attempt_at <= ops.clock_now() OR d.next_attempt_at > ops.clock_now() + 2 * $5::float8 * interval '1 millisecond' END
       AND (d.type = ANY($4::text[]) OR d.key = '' OR NOT EXISTS (
         SELECT 1 FROM tinystore_inventory.dead_letter e
         WHERE e.consumer = d.consumer AND e.key = d.key AND e.id < d.id
           AND e.status IN ('RETRYING', 'PARKED', 'DEAD')))
     FOR UPDATE SKIP LOCKED`,
    [id, definition.name, head.length > 0, definition.passes?.types ?? [], longestWaitMs],
  );
  return rows[0];
}

async function handleLetter(
  { letters }: LetterDeps,
  definition: ConsumerDefinition,
  tx: Parameters<ConsumerDefinition['handle']>[0],
  letter: OpenLetter,
): Promise<void> {
  const read = readLetter(letter);
  if (read.kind === 'unreadable') throw new Error(read.reason);
  const { rowCount: isNew } = await tx.query(
    'INSERT INTO tinystore_inventory.inbox_event (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [definition.name, letter.eventId],
  );
  // Another copy was handled meanwhile: its effect stands.
  if (isNew === 1) {
    const passed = await lockPassed(tx, definition, [read]);
    const [refused] = await definition.handle(tx, [read.event]);
    if (refused) throw new Error(refused.reason);
    await voidWaiting(tx, definition, passed, letters);
  }
  await endLetter(tx, letter, { status: 'RESOLVED', by: letter.askedBy ?? 'stream.retry' }, letters);
}

/** A DEAD one that was tried once more by hand stays DEAD, and is reported no second time. */
async function countFailure(deps: LetterDeps, seen: OpenLetter, error: unknown): Promise<void> {
  const attempts = seen.attempts + 1;
  const reason = storable(reasonOf(error), 4000);
  const fate = seen.status === 'DEAD' ? { status: 'DEAD' as const } : fateAfter(deps.retry, attempts, error);
  const code = databaseErrorCode(error);
  if (code !== undefined && mayPass(error)) deps.metrics?.databaseRetries.inc({ code });
  await inTransaction(deps.pool, async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE tinystore_inventory.dead_letter
       SET status = $3, attempts = $4, reason = $5, fingerprint = $6, asked_by = NULL, updated_at = ops.clock_now(),
           next_attempt_at = ops.clock_now() + $7::double precision * interval '1 millisecond'
       WHERE id = $1 AND status = $2 AND attempts = $8`,
      [
        seen.id,
        seen.status,
        fate.status,
        attempts,
        reason,
        fingerprintOf({ ...seen, reason }),
        fate.status === 'RETRYING' ? fate.inMs : null,
        seen.attempts,
      ],
    );
    if (rowCount !== 1 || fate.status !== 'DEAD' || seen.status === 'DEAD') return;
    await deps.letters.dead(tx, { ...seen, attempts, reason });
    deps.metrics?.deadLetters.inc({ consumer: seen.consumer });
    deps.log.error(
      { consumer: seen.consumer, eventId: seen.eventId, attempts, reason },
      'message became a dead letter',
    );
  });
}
