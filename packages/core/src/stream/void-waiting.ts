/**
 * What an event that never waits makes void: a RELEASE has written the tombstones of the units that a failing RESERVE
 * would have recorded, so that RESERVE has nothing left to do (P33).
 */
import type { Sql } from '../platform/index.ts';
import type { ConsumerDefinition } from './consumer-definition.ts';
import { keyOf, type LetterReports } from './dead-letter.ts';
import { endLetter } from './end-letter.ts';
import { lockFailingKeys } from './failing-key.ts';
import { readLetter, readOpenLetters } from './open-letter.ts';
import type { ReadEvent } from './read-message.ts';

/** To be called before the effect, because the key's lock comes before all others (P12). */
export async function lockPassed(
  tx: Sql,
  { name, passes }: ConsumerDefinition,
  fresh: readonly ReadEvent[],
): Promise<ReadEvent[]> {
  const passing = fresh.filter(({ event }) => passes?.types.includes(event.type));
  if (passing.length === 0) return [];
  const closed = await lockFailingKeys(
    tx,
    name,
    passing.map((r) => keyOf(r.origin)),
  );
  return passing.filter((r) => closed.has(keyOf(r.origin)));
}

/** The inbox mark of what is void says that nothing is left to do for it. */
export async function voidWaiting(
  tx: Sql,
  { name, passes }: ConsumerDefinition,
  passed: readonly ReadEvent[],
  reports: LetterReports,
): Promise<void> {
  if (!passes || passed.length === 0) return;
  const letters = await readOpenLetters(
    tx,
    name,
    passed.map((r) => keyOf(r.origin)),
  );
  for (const letter of letters) {
    const read = readLetter(letter);
    if (read.kind === 'unreadable') continue;
    const by = passed.find(({ event }) => passes.makesVoid(event, read.event));
    if (!by) continue;
    await tx.query(
      'INSERT INTO tinystore_inventory.inbox_event (consumer, event_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [name, letter.eventId],
    );
    await endLetter(tx, letter, { status: 'RESOLVED', by: `${by.event.type} ${by.event.id}` }, reports);
  }
}
