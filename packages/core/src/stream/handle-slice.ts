/** Takes a stretch of one partition through reading, planning and handling; its offset may be committed after. */
import { isEventType } from '../domain/index.ts';
import type { ConsumerDefinition, ConsumerDeps } from './consumer-definition.ts';
import { bury, handleEvents, letterOf } from './handle-events.ts';
import { type Origin, type ReadEvent, readMessage, typeOf, type UnreadableMessage } from './read-message.ts';

/** Returns how many events were handled. @throws for an outage, or a letter that cannot be kept; may be repeated as it is */
export async function handleSlice(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  slice: readonly Origin[],
): Promise<number> {
  const events: ReadEvent[] = [];
  const unreadable: UnreadableMessage[] = [];
  for (const origin of slice) {
    const read = readMessage(origin);
    if (read.kind === 'unreadable') unreadable.push(read);
    else events.push(read);
  }
  if (unreadable.length > 0) await bury(deps, definition, unreadable.map(letterOf));
  for (const part of plan(definition, events)) {
    await handleEvents(deps, definition, part);
    for (const { event } of part) deps.metrics?.consumed.inc({ consumer: definition.name, type: event.type });
  }
  if (events.length > 0) for (const topic of definition.wakes) deps.wake(topic);
  return events.length;
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
