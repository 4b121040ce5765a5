/**
 * Who is told of a dead letter, in the transaction that gives the message up: the operators by an incident, and other
 * systems by a message to `<topic>.DLT`, which goes through the outbox like every event (P33).
 */
import { INVENTORY_TOPIC } from '../../../domain/index.ts';
import { append } from '../../../outbox/index.ts';
import type { KeptLetter, LetterReports } from '../../../stream/index.ts';
import { closeIncident, openIncident } from '../../index.ts';

/** JSON may write one character as six, and the largest message has 700 000 bytes. */
const MOST_BODY = 100_000;
const MOST_SHORT = 400;

export function createLetterReports({ dltEnabled }: { readonly dltEnabled: boolean }): LetterReports {
  return {
    async dead(sql, letter) {
      const { consumer, eventId, type, topic, partition, offset } = letter;
      const reason = cut(letter.reason, MOST_SHORT);
      await openIncident(sql, {
        kind: 'DEAD_LETTER',
        subject: `${consumer}/${eventId}`,
        detail: { consumer, eventId, type, topic, partition, offset, reason },
      });
      if (dltEnabled) await appendLetter(sql, letter);
    },
    async ended(sql, { consumer, eventId, by }) {
      await closeIncident(sql, { kind: 'DEAD_LETTER', subject: `${consumer}/${eventId}`, by });
    },
  };
}

/** Under the key of the letter itself: it waits for nothing and nothing waits for it. */
async function appendLetter(sql: Parameters<typeof append>[0], letter: KeptLetter): Promise<void> {
  const { consumer, eventId, type, topic, partition, offset, key, reason, attempts, body } = letter;
  await append(sql, [
    {
      type: topic === INVENTORY_TOPIC ? 'INVENTORY_DEAD_LETTER' : 'ORDER_DEAD_LETTER',
      key: eventId,
      traceId: eventId,
      payload: {
        consumer,
        eventId,
        type,
        topic,
        partition,
        offset,
        key: cut(key, MOST_SHORT),
        reason: cut(reason, MOST_SHORT),
        attempts,
        body: cut(body, MOST_BODY),
      },
    },
  ]);
}

function cut(text: string, most: number): string {
  return text.slice(0, most).toWellFormed();
}
