/**
 * A dead letter keeps everything of a message that could not be handled: body, reason, where it came from. The
 * partition goes on (C41). The inbox keeps no mark for it: a mark means that the effect stands.
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
      textOf(Buffer.from(type)),
      topic,
      partition,
      offset,
      textOf(message.key),
      textOf(message.value),
      textOf(Buffer.from(reason)).slice(0, 4000),
      attempts,
    ]);
    if (rowCount === 1)
      await openIncident(tx, {
        kind: 'DEAD_LETTER',
        subject: `${consumer}/${eventId}`,
        detail: {
          consumer,
          eventId,
          type: textOf(Buffer.from(type)),
          topic,
          partition,
          offset,
          reason: textOf(Buffer.from(reason)).slice(0, 400),
        },
      });
  }
  await tx.query('DELETE FROM tinystore_inventory.inbox_event WHERE consumer = $1 AND event_id = ANY($2::uuid[])', [
    consumer,
    letters.map((l) => l.eventId),
  ]);
}

/** Text as it is; bytes that PostgreSQL cannot keep as text are kept as base64, so that nothing of the body is lost. */
function textOf(bytes: Buffer | null | undefined): string {
  if (!bytes) return '';
  const text = bytes.toString();
  return text.includes('\0') || !Buffer.from(text).equals(bytes) ? `base64:${bytes.toString('base64')}` : text;
}
