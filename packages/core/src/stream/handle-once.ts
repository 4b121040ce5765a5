/** Inbox mark, effect and answers of a set of events in one transaction: they stand or fall together (C38). */
import type { Tx } from '../platform/index.ts';
import type { ConsumerDefinition, ConsumerDeps, RefusedEvent } from './consumer-definition.ts';
import { type DeadLetter, writeDeadLetters } from './dead-letter.ts';
import { markNew } from './mark-new.ts';
import type { ReadEvent } from './read-message.ts';
import { lockPassed, voidWaiting } from './void-waiting.ts';

/** Returns what the handler refused, and writes those of a failing key behind it. @throws whatever the handler throws */
export async function handleOnce(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  tx: Tx,
  read: readonly ReadEvent[],
): Promise<readonly RefusedEvent[]> {
  const { fresh, waiting } = await markNew(tx, definition, read);
  if (waiting.length > 0) await writeDeadLetters(tx, definition.name, waiting.map(parked), deps.letters);
  if (fresh.length === 0) return [];
  const passed = await lockPassed(tx, definition, fresh);
  await deps.stopAt?.('consumer.after-mark');
  const refused = await definition.handle(
    tx,
    fresh.map((r) => r.event),
  );
  await deps.stopAt?.('consumer.after-effect');
  await voidWaiting(
    tx,
    definition,
    passed.filter(({ event }) => !refused.some((r) => r.eventId === event.id)),
    deps.letters,
  );
  return refused;
}

function parked({ event, origin }: ReadEvent): DeadLetter {
  const reason = 'waits behind an earlier message of its key';
  return { eventId: event.id, type: event.type, reason, attempts: 0, origin, fate: { status: 'PARKED' } };
}
