/**
 * Handles events of one consumer: inbox mark, effects and answers in one transaction (C38). When a set fails by
 * an unexpected error, it is repeated event by event, so that one bad event fails alone (P5).
 */
import type { IncomingEvent } from '../domain/index.ts';
import { inTransaction, repeatOnConflict, type Sql } from '../platform/index.ts';
import type { ConsumerDefinition, ConsumerDeps } from './consumer-definition.ts';
import { type DeadLetter, withoutContent, writeDeadLetters } from './dead-letter.ts';
import { isOutage, mayPass } from './judge-error.ts';
import type { ReadEvent, UnreadableMessage } from './read-message.ts';

/** Marks what is new. An event with a dead letter belongs to that letter until it is sent again from there. */
const MARK = `
  INSERT INTO tinystore_inventory.inbox_event (consumer, event_id)
  SELECT $1, e.id FROM unnest($2::uuid[]) AS e(id)
  WHERE NOT EXISTS (SELECT 1 FROM tinystore_inventory.dead_letter d WHERE d.consumer = $1 AND d.event_id = e.id)
  ORDER BY e.id
  ON CONFLICT DO NOTHING RETURNING event_id AS id`;

async function markNew(tx: Sql, consumer: string, events: readonly IncomingEvent[]): Promise<IncomingEvent[]> {
  const { rows } = await tx.query<{ id: string }>(MARK, [consumer, events.map((e) => e.id)]);
  if (rows.length === events.length) return [...events];
  const fresh = new Set(rows.map((row) => row.id));
  // `delete` answers true once, so a message that is twice in the set is handled once.
  return events.filter((event) => fresh.delete(event.id));
}

/** One transaction for the whole set, or one for each event. @throws for an outage, or when not even `bury` can */
export async function handleEvents(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  read: readonly ReadEvent[],
): Promise<void> {
  try {
    await handleTogether(deps, definition, read, 1);
  } catch (error) {
    if (isOutage(error)) throw error;
    if (read.length > 1) {
      deps.log.warn(
        { error, consumer: definition.name, events: read.length },
        'a set of events failed; repeating it event by event',
      );
      for (const one of read) await handleEvents(deps, definition, [one]);
      return;
    }
    const [only] = read;
    if (only)
      await bury(deps, definition, [
        {
          eventId: only.event.id,
          type: only.event.type,
          reason: reasonOf(error),
          attempts: 2,
          origin: only.origin,
        },
      ]);
  }
}

async function handleTogether(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  read: readonly ReadEvent[],
  attempts: number,
): Promise<void> {
  const refused = await repeatOnConflict(
    () =>
      inTransaction(deps.pool, async (tx) => {
        const events = await markNew(
          tx,
          definition.name,
          read.map((r) => r.event),
        );
        if (events.length === 0) return [];
        const letters: DeadLetter[] = (await definition.handle(tx, events)).flatMap(({ eventId, reason }) => {
          const found = read.find((r) => r.event.id === eventId);
          return found ? [{ eventId, type: found.event.type, reason, attempts, origin: found.origin }] : [];
        });
        if (letters.length > 0) await writeDeadLetters(tx, definition.name, letters, deps.openIncident);
        return letters;
      }),
    (code) => deps.metrics?.databaseRetries.inc({ code }),
  );
  report(deps, definition, refused);
}

/**
 * Writes dead letters in a transaction of their own. What the database refuses is tried alone, and then once more
 * without its content. @throws what may pass by waiting, or what refused even that
 */
export async function bury(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  letters: readonly DeadLetter[],
): Promise<void> {
  try {
    await writeLetters(deps, definition, letters);
  } catch (error) {
    if (mayPass(error)) throw error;
    if (letters.length > 1) {
      for (const one of letters) await bury(deps, definition, [one]);
      return;
    }
    deps.log.error({ error, consumer: definition.name }, 'a dead letter was refused; keeping it without its content');
    await writeLetters(deps, definition, letters.map(withoutContent));
  }
  report(deps, definition, letters);
}

async function writeLetters(
  { pool, openIncident }: ConsumerDeps,
  { name }: ConsumerDefinition,
  letters: readonly DeadLetter[],
): Promise<void> {
  await repeatOnConflict(() => inTransaction(pool, (tx) => writeDeadLetters(tx, name, letters, openIncident)));
}

export function letterOf({ eventId, type, reason, origin }: UnreadableMessage): DeadLetter {
  return { eventId, type, reason, attempts: 1, origin };
}

function report({ log, metrics }: ConsumerDeps, { name }: ConsumerDefinition, letters: readonly DeadLetter[]): void {
  for (const {
    eventId,
    type,
    reason,
    origin: { topic, partition, offset },
  } of letters) {
    metrics?.deadLetters.inc({ consumer: name });
    log.error({ consumer: name, eventId, type, topic, partition, offset, reason }, 'message became a dead letter');
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return `${error.name}${code}: ${error.message}`;
}
