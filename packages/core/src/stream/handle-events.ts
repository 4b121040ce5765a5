/**
 * Handles events of one consumer, a set in one transaction. When a set fails by an unexpected error, it is repeated
 * event by event, so that one bad event fails alone (P5); that one becomes a letter, which is tried again outside the
 * partition, and the next ones of its key wait behind it (P33). No try here makes another key wait for long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseErrorCode, inTransaction } from '../platform/index.ts';
import type { ConsumerDefinition, ConsumerDeps } from './consumer-definition.ts';
import { type DeadLetter, withoutContent, writeDeadLetters } from './dead-letter.ts';
import { handleOnce } from './handle-once.ts';
import { isOutage, mayPass, reasonOf } from './judge-error.ts';
import type { ReadEvent, UnreadableMessage } from './read-message.ts';
import { fateAfter } from './retry-policy.ts';

/** A set that lost a conflict, whose outcome comes at once, is repeated whole; a lock that is held is not waited for again. */
const CONFLICTS = new Set(['40001', '40P01']);
const SET_TRIES = 3;
/** How long one event may wait for a lock while those after it wait for it. */
const ALONE_LOCK_MS = 500;

/** One transaction for the whole set, or one for each event. @throws for an outage, or when not even `bury` can */
export async function handleEvents(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  read: readonly ReadEvent[],
): Promise<void> {
  const [only, ...others] = read;
  if (only && others.length === 0) return handleAlone(deps, definition, only);
  for (let tries = 1; ; tries++) {
    try {
      return await handleTogether(deps, definition, read);
    } catch (error) {
      if (isOutage(error)) throw error;
      const code = databaseErrorCode(error) ?? '';
      if (CONFLICTS.has(code) && tries < SET_TRIES) {
        deps.metrics?.databaseRetries.inc({ code });
        await sleep(10 * 2 ** tries * (0.5 + Math.random()));
        continue;
      }
      deps.log.warn(
        { error, consumer: definition.name, events: read.length },
        'a set of events failed; repeating it event by event',
      );
      for (const one of read) await handleAlone(deps, definition, one);
      return;
    }
  }
}

async function handleAlone(deps: ConsumerDeps, definition: ConsumerDefinition, one: ReadEvent): Promise<void> {
  try {
    await handleTogether(deps, definition, [one], ALONE_LOCK_MS);
  } catch (error) {
    if (isOutage(error)) throw error;
    const code = databaseErrorCode(error);
    if (code !== undefined && mayPass(error)) deps.metrics?.databaseRetries.inc({ code });
    await bury(deps, definition, [letterFor(one, reasonOf(error), fateAfter(deps.retry, 1, error))]);
  }
}

async function handleTogether(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  read: readonly ReadEvent[],
  lockTimeoutMs?: number,
): Promise<void> {
  const refused = await inTransaction(deps.pool, async (tx) => {
    if (lockTimeoutMs !== undefined) await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
    const letters = (await handleOnce(deps, definition, tx, read)).flatMap(({ eventId, reason }) => {
      const found = read.find((r) => r.event.id === eventId);
      return found ? [letterFor(found, reason, fateAfter(deps.retry, 1))] : [];
    });
    if (letters.length > 0) await writeDeadLetters(tx, definition.name, letters, deps.letters);
    return letters;
  });
  report(deps, definition, refused);
}

function letterFor({ event, origin }: ReadEvent, reason: string, fate: DeadLetter['fate']): DeadLetter {
  return { eventId: event.id, type: event.type, reason, attempts: 1, origin, fate };
}

/** No try would make it readable. */
export function letterOf({ eventId, type, reason, origin }: UnreadableMessage): DeadLetter {
  return { eventId, type, reason, attempts: 1, origin, fate: { status: 'DEAD' } };
}

/**
 * Writes letters in a transaction of their own. What the database refuses is tried alone, and then once more without
 * its content. @throws what may pass by waiting, or what refused even that
 */
export async function bury(
  deps: ConsumerDeps,
  definition: ConsumerDefinition,
  letters: readonly DeadLetter[],
): Promise<void> {
  const write = (some: readonly DeadLetter[]) =>
    inTransaction(deps.pool, (tx) => writeDeadLetters(tx, definition.name, some, deps.letters));
  try {
    await write(letters);
  } catch (error) {
    if (mayPass(error)) throw error;
    if (letters.length > 1) {
      for (const one of letters) await bury(deps, definition, [one]);
      return;
    }
    deps.log.error({ error, consumer: definition.name }, 'a dead letter was refused; keeping it without its content');
    await write(letters.map(withoutContent));
  }
  report(deps, definition, letters);
}

function report({ log, metrics }: ConsumerDeps, { name }: ConsumerDefinition, letters: readonly DeadLetter[]): void {
  for (const { eventId, type, reason, fate, origin } of letters) {
    const { topic, partition, offset } = origin;
    const fields = { consumer: name, eventId, type, topic, partition, offset, reason };
    if (fate.status !== 'DEAD') log.warn(fields, 'message failed; it is tried again outside its partition');
    else {
      metrics?.deadLetters.inc({ consumer: name });
      log.error(fields, 'message became a dead letter');
    }
  }
}
