/** An open dead letter as its row has it, and the message it was made of. */
import type { Sql } from '../platform/index.ts';
import { bytesOf } from './dead-letter.ts';
import { TYPE_HEADER } from './producer.ts';
import { type ReadEvent, readMessage, type UnreadableMessage } from './read-message.ts';

export interface OpenLetter {
  readonly id: number;
  readonly consumer: string;
  readonly eventId: string;
  readonly type: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly body: string;
  readonly reason: string;
  readonly status: 'RETRYING' | 'PARKED' | 'DEAD';
  readonly attempts: number;
  readonly askedBy: string | null;
}

export const LETTER_COLUMNS = `d.id, d.consumer, d.event_id AS "eventId", d.type, d.topic, d.partition, d."offset", d.key, d.body,
  d.reason, d.status, d.attempts, d.asked_by AS "askedBy"`;
export const IS_OPEN = `d.status IN ('RETRYING', 'PARKED', 'DEAD')`;

/** Everything open of these keys, in key order. */
export async function readOpenLetters(tx: Sql, consumer: string, keys: readonly string[]): Promise<OpenLetter[]> {
  const { rows } = await tx.query<OpenLetter>(
    `SELECT ${LETTER_COLUMNS} FROM tinystore_inventory.dead_letter d
     WHERE d.consumer = $1 AND d.key = ANY($2::text[]) AND ${IS_OPEN} ORDER BY d.id`,
    [consumer, keys],
  );
  return rows;
}

export function readLetter(
  letter: Pick<OpenLetter, 'topic' | 'partition' | 'offset' | 'key' | 'body' | 'type'>,
): ReadEvent | UnreadableMessage {
  const { topic, partition, offset, key, body, type } = letter;
  return readMessage({
    topic,
    partition,
    offset: String(offset),
    message: {
      key: bytesOf(key),
      value: bytesOf(body),
      headers: { [TYPE_HEADER]: type },
      offset: String(offset),
      timestamp: '0',
      attributes: 0,
    },
  });
}
