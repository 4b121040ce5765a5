/**
 * A dead letter keeps everything of a message that could not be handled: body, reason, where it came from. The
 * partition goes on (C41). The inbox keeps no mark for it: a mark means that the effect stands. No text of a message
 * may be refused by PostgreSQL, which takes neither NUL nor, in jsonb, half a surrogate pair.
 */
import type { Sql } from '../platform/index.ts';
import type { Origin } from './read-message.ts';

export interface DeadLetter {
  readonly eventId: string;
  readonly type: string;
  readonly reason: string;
  readonly attempts: number;
  readonly origin: Origin;
}
/** The incident of a dead letter; the stream does not know operations, so its starter passes `openIncident` in. */
export type OpenIncident = (
  sql: Sql,
  incident: { kind: 'DEAD_LETTER'; subject: string; detail: Record<string, unknown> },
) => Promise<void>;

const INSERT = `
  INSERT INTO tinystore_inventory.dead_letter AS d
    (consumer, event_id, type, topic, partition, "offset", key, body, reason, status, attempts)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'DEAD', $10)
  ON CONFLICT (consumer, event_id) DO NOTHING`;

export async function writeDeadLetters(
  tx: Sql,
  consumer: string,
  letters: readonly DeadLetter[],
  openIncident: OpenIncident,
): Promise<void> {
  for (const { eventId, type, reason, attempts, origin } of letters) {
    const { topic, partition, offset, message } = origin;
    const { rowCount } = await tx.query(INSERT, [
      consumer,
      eventId,
      storable(type, 400),
      topic,
      partition,
      offset,
      textOf(message.key),
      textOf(message.value),
      storable(reason, 4000),
      attempts,
    ]);
    if (rowCount === 1)
      await openIncident(tx, {
        kind: 'DEAD_LETTER',
        subject: `${consumer}/${eventId}`,
        detail: {
          consumer,
          eventId,
          type: storable(type, 400),
          topic,
          partition,
          offset,
          reason: storable(reason, 400),
        },
      });
  }
  await tx.query('DELETE FROM tinystore_inventory.inbox_event WHERE consumer = $1 AND event_id = ANY($2::uuid[])', [
    consumer,
    letters.map((l) => l.eventId),
  ]);
}

/** What is left of a letter that the database refuses as it is: where the message stands, and that it was refused. */
export function withoutContent(letter: DeadLetter): DeadLetter {
  const { origin } = letter;
  return {
    ...letter,
    type: 'UNKNOWN',
    reason: 'the database refused to keep this message; read it in the topic at its partition and offset',
    origin: { ...origin, message: { ...origin.message, key: null, value: Buffer.from('not kept') } },
  };
}

/** A text for people: as PostgreSQL can keep it, cut where a cut leaves whole characters. */
function storable(text: string, most: number): string {
  return text.slice(0, most).replaceAll('\0', '\uFFFD').toWellFormed();
}

/** Text as it is; bytes that PostgreSQL cannot keep as text are kept as base64, so that nothing of the body is lost. */
function textOf(bytes: Buffer | null | undefined): string {
  if (!bytes) return '';
  const text = bytes.toString();
  return text.includes('\0') || !Buffer.from(text).equals(bytes) ? `base64:${bytes.toString('base64')}` : text;
}
