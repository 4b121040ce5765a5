/** Takes a stretch of one partition through reading, planning and handling; its offset may be committed after. */
import { isEventType } from '../domain/index.ts';
import type { ConsumerDefinition, ConsumerDeps } from './consumer-definition.ts';
import { keyOf } from './dead-letter.ts';
import { bury, handleEvents, letterOf } from './handle-events.ts';
import { type Origin, type ReadEvent, readMessage, typeOf, type UnreadableMessage } from './read-message.ts';

/** Returns how many events were handled. @throws for an outage, or a letter that cannot be kept; may be repeated as it is */
export async function handleSlice(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  slice: readonly Origin[],
): Promise<number> {
  let handled = 0;
  for (const { unreadable, events } of cutAtUnreadable(slice)) {
    if (unreadable.length > 0) await bury(deps, definition, unreadable.map(letterOf));
    for (const part of plan(definition, events)) {
      await handleEvents(deps, definition, part);
      for (const { event } of part) deps.metrics?.consumed.inc({ consumer: definition.name, type: event.type });
    }
    handled += events.length;
  }
  if (handled > 0) for (const topic of definition.wakes) deps.wake(topic);
  return handled;
}

interface Piece {
  readonly unreadable: UnreadableMessage[];
  readonly events: ReadEvent[];
}

/**
 * What nobody can read closes its key, so it comes after the earlier events of that key and before the later ones.
 * Where its key is nobody else's, which is usual, one piece is enough.
 */
function cutAtUnreadable(slice: readonly Origin[]): Piece[] {
  const messages = slice.map(readMessage);
  const keys = new Set(messages.filter((m) => m.kind === 'event').map((m) => keyOf(m.origin)));
  const pieces: Piece[] = [{ unreadable: [], events: [] }];
  for (const message of messages) {
    const piece = pieces.at(-1);
    if (message.kind === 'event') piece?.events.push(message);
    else if (keys.has(keyOf(message.origin))) pieces.push({ unreadable: [message], events: [] });
    else pieces[0]?.unreadable.push(message);
  }
  return pieces;
}

function plan({ plan: cut }: ConsumerDefinition, read: ReadEvent[]): ReadEvent[][] {
  if (read.length === 0) return [];
  if (!cut) return [read];
  const found = new Map(read.map((r) => [r.event, r]));
  return cut(read.map((r) => r.event)).map((part) => part.flatMap((event) => found.get(event) ?? []));
}

/** By header alone, without parsing: does this consumer have to look at the message? */
export function concerns(definition: ConsumerDefinition, { message }: Origin): boolean {
  const type = typeOf(message);
  return type !== undefined && isEventType(type) ? definition.types.includes(type) : definition.answersForUnknown;
}
