/**
 * Cuts a batch into sends, in id order. kafkajs puts all messages of a partition into one record batch, which the
 * broker refuses above 1 MB, and copies its list for each message, which is why a send is also limited in number.
 */
import type { OutgoingMessage } from '../stream/index.ts';
import { MAX_BATCH_BYTES } from './encode-event.ts';

export const MAX_SEND_MESSAGES = 1500;
/** Record framing, key and headers. */
const OVERHEAD_BYTES = 160;

export function splitSends<T extends { readonly message: OutgoingMessage }>(items: readonly T[]): T[][] {
  const sends: T[][] = [];
  let current: T[] = [];
  let bytes = new Map<string, number>();
  for (const item of items) {
    const { topic, partition, value } = item.message;
    const slot = `${topic}/${partition}`;
    const size = (bytes.get(slot) ?? 0) + value.length + OVERHEAD_BYTES;
    if (current.length > 0 && (current.length >= MAX_SEND_MESSAGES || size > MAX_BATCH_BYTES + OVERHEAD_BYTES)) {
      sends.push(current);
      current = [];
      bytes = new Map();
    }
    bytes.set(slot, current.length === 0 ? value.length + OVERHEAD_BYTES : size);
    current.push(item);
  }
  if (current.length > 0) sends.push(current);
  return sends;
}
