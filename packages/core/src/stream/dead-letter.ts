/**
 * A dead letter keeps everything of a message that could not be handled: body, reason, where it came from. The
 * partition goes on (C41). The inbox keeps no mark for it: a mark means that the effect stands. No text of a message
 * may be refused by PostgreSQL, which takes neither NUL nor, in jsonb, half a surrogate pair.
 */
import type { Sql } from '../platform/index.ts';
import { closeKeys } from './failing-key.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Origin } from './read-message.ts';

export interface DeadLetter {
  readonly eventId: string;
  readonly type: string;
  readonly reason: string;
  readonly attempts: number;
  readonly origin: Origin;
  /** RETRYING: tried again outside the partition. PARKED: waits behind a failing one of its key. */
  readonly fate: { readonly status: 'RETRYING'; readonly inMs: number } | { readonly status: 'PARKED' | 'DEAD' };
}
/** A letter as it is kept. */
export interface KeptLetter {
  readonly consumer: string;
  readonly eventId: string;
  readonly type: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly body: string;
  readonly reason: string;
  readonly attempts: number;
}
/** Who is told of letters; the stream knows neither operations nor the outbox, so its starter passes this in. */
export interface LetterReports {
  /** Given up: in the same transaction the operators and the dead-letter topic are told. */
  dead(sql: Sql, letter: KeptLetter): Promise<void>;
  /** Handled, made void or discarded after all. */
  ended(sql: Sql, letter: { readonly consumer: string; readonly eventId: string; readonly by: string }): Promise<void>;
}

const INSERT = `
  INSERT INTO tinystore_inventory.dead_letter AS d
    (consumer, event_id, type, topic, partition, "offset", key, body, reason, fingerprint, status, attempts, next_attempt_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, ops.clock_now() + $13::double precision * interval '1 millisecond')
  ON CONFLICT (consumer, event_id) DO NOTHING`;

/** In the order given, which is the order of each key. A letter without a key closes none. */
export async function writeDeadLetters(
  tx: Sql,
  consumer: string,
  letters: readonly DeadLetter[],
  reports: LetterReports,
): Promise<void> {
  const kept = letters.map((letter) => ({ ...keep(consumer, letter), fate: letter.fate }));
  await closeKeys(
    tx,
    consumer,
    kept.map((letter) => letter.key),
  );
  for (const { fate, ...letter } of kept) {
    const { rowCount } = await tx.query(INSERT, [
      consumer,
      letter.eventId,
      letter.type,
      letter.topic,
      letter.partition,
      letter.offset,
      letter.key,
      letter.body,
      letter.reason,
      fingerprintOf(letter),
      fate.status,
      letter.attempts,
      fate.status === 'RETRYING' ? fate.inMs : null,
    ]);
    if (rowCount === 1 && fate.status === 'DEAD') await reports.dead(tx, letter);
  }
  await tx.query('DELETE FROM tinystore_inventory.inbox_event WHERE consumer = $1 AND event_id = ANY($2::uuid[])', [
    consumer,
    letters.map((l) => l.eventId),
  ]);
}

function keep(consumer: string, { eventId, type, reason, attempts, origin }: DeadLetter): KeptLetter {
  const { topic, partition, offset, message } = origin;
  return {
    consumer,
    eventId,
    type: storable(type, 400),
    topic,
    partition,
    offset: Number(offset),
    key: keyOf(origin),
    body: textOf(message.value),
    reason: storable(reason, 4000),
    attempts,
  };
}

/** What is left of a letter that the database refuses as it is: where the message stands, and that it was refused. */
export function withoutContent(letter: DeadLetter): DeadLetter {
  const { origin } = letter;
  return {
    ...letter,
    fate: { status: 'DEAD' },
    type: 'UNKNOWN',
    reason: 'the database refused to keep this message; read it in the topic at its partition and offset',
    origin: { ...origin, message: { ...origin.message, key: null, value: Buffer.from('not kept') } },
  };
}

/** A text for people: as PostgreSQL can keep it, cut where a cut leaves whole characters. */
export function storable(text: string, most: number): string {
  return text.slice(0, most).replaceAll('\0', '\uFFFD').toWellFormed();
}

/** The key that a message waits in line by: that of the topic, which its partition follows. */
export function keyOf({ message }: Origin): string {
  return textOf(message.key);
}

const BINARY = 'base64:';

/** Text as it is; bytes that PostgreSQL cannot keep as text are kept as base64, so that nothing of the body is lost. */
function textOf(bytes: Buffer | null | undefined): string {
  if (!bytes) return '';
  const text = bytes.toString();
  return text.includes('\0') || !Buffer.from(text).equals(bytes) ? `${BINARY}${bytes.toString('base64')}` : text;
}

/** The bytes that `textOf` made a text of. */
export function bytesOf(text: string): Buffer {
  return text.startsWith(BINARY) ? Buffer.from(text.slice(BINARY.length), 'base64') : Buffer.from(text);
}
