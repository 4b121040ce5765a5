/**
 * Sends claimed events, one send in flight, in id order. What can never be sent is named with its reason, and the
 * later events of its key are left out, so that no key is seen out of order (P32). An outage stops the batch and
 * accuses no event.
 */
import { MessageRefused, type OutgoingMessage, type Producer } from '../stream/index.ts';
import type { ClaimedEvent } from './claim-batch.ts';
import { encodeEvent } from './encode-event.ts';
import type { SentEvent } from './mark-sent.ts';
import { splitSends } from './split-sends.ts';

export interface Published {
  readonly sent: readonly SentEvent[];
  readonly unsendable: readonly { readonly event: ClaimedEvent; readonly reason: string }[];
  /** Set when the batch stopped half-way; events neither sent nor unsendable stay PENDING. */
  readonly failure?: unknown;
}
interface Item {
  readonly event: ClaimedEvent;
  readonly message: OutgoingMessage;
}

export async function publishBatch(producer: Producer, events: readonly ClaimedEvent[]): Promise<Published> {
  const sent: SentEvent[] = [];
  const unsendable: { event: ClaimedEvent; reason: string }[] = [];
  const stopped = new Set<string>();
  const lane = (event: ClaimedEvent) => `${event.topic} ${event.key}`;
  const refuse = (event: ClaimedEvent, reason: string) => {
    stopped.add(lane(event));
    unsendable.push({ event, reason });
  };

  const items: Item[] = [];
  for (const event of events) {
    if (stopped.has(lane(event))) continue;
    if (event.behindParked) {
      refuse(event, 'behind a parked event of its key');
      continue;
    }
    const encoded = encodeEvent(event, producer.partitions);
    if (encoded.kind === 'message') items.push({ event, message: encoded.message });
    else refuse(event, encoded.reason);
  }

  const sends = splitSends(items);
  for (let next = sends.shift(); next; next = sends.shift()) {
    const send = stopped.size === 0 ? next : next.filter((item) => !stopped.has(lane(item.event)));
    if (send.length === 0) continue;
    try {
      const placed = await producer.send(send.map((item) => item.message));
      placed.forEach(({ partition, offset }, index) => {
        const item = send[index];
        if (item) sent.push({ id: item.event.id, partition, offset });
      });
    } catch (error) {
      if (!(error instanceof MessageRefused)) return { sent, unsendable, failure: error };
      const [only, ...others] = send;
      if (only && others.length === 0) refuse(only.event, `refused by the broker: ${error.message}`);
      // Which of them it was is found by halving, first half first.
      else sends.unshift(send.slice(0, send.length / 2), send.slice(send.length / 2));
    }
  }
  return { sent, unsendable };
}
