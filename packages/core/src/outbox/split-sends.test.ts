import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ORDER_TOPIC } from '../domain/index.ts';
import type { ClaimedEvent } from './claim-batch.ts';
import { encodeEvent, MAX_BATCH_BYTES } from './encode-event.ts';
import { MAX_SEND_MESSAGES, splitSends } from './split-sends.ts';

const event = (more: Partial<ClaimedEvent> = {}): ClaimedEvent => ({
  id: 1,
  eventId: randomUUID(),
  type: 'TRADE_PAID',
  topic: ORDER_TOPIC,
  key: randomUUID(),
  traceId: 'trace',
  occurredAt: new Date('2026-01-02T03:04:05.678Z'),
  payload: '{"a":1}',
  behindParked: false,
  ...more,
});
function message(bytes: number, partition = 0) {
  return {
    message: { topic: ORDER_TOPIC, partition, key: 'k', value: Buffer.alloc(bytes), type: 'TRADE_PAID' },
  };
}

test('The envelope of an event is what its readers parse', () => {
  const given = event({ key: 'key "with" quotes' });
  const encoded = encodeEvent(given, 6);
  expect(encoded.kind === 'message' && JSON.parse(encoded.message.value.toString())).toEqual({
    id: given.eventId,
    type: 'TRADE_PAID',
    version: 1,
    key: 'key "with" quotes',
    occurredAt: '2026-01-02T03:04:05.678Z',
    traceId: 'trace',
    payload: { a: 1 },
  });
});

test('What no reader could take is never sent', () => {
  const odd = [
    { type: 'NO_SUCH_TYPE' },
    { topic: 'elsewhere' },
    { key: '' },
    { key: 'x'.repeat(129) },
    { traceId: 'x'.repeat(65) },
    { payload: '[]' },
    { payload: `{"a":"${'x'.repeat(MAX_BATCH_BYTES)}"}` },
  ];
  for (const more of odd) expect(encodeEvent(event(more), 6).kind).toBe('unsendable');
});

test('No send puts more bytes into one partition than a broker takes, and the order stays', () => {
  const items = [...Array(40)].map((_, n) => message(n % 5 === 0 ? 300_000 : 40_000, n % 3));
  const sends = splitSends(items);
  expect(sends.flat()).toEqual(items);
  for (const send of sends)
    for (const own of Map.groupBy(send, (item) => item.message.partition).values())
      expect(own.reduce((bytes, item) => bytes + item.message.value.length, 0)).toBeLessThanOrEqual(MAX_BATCH_BYTES);
  expect(splitSends([message(MAX_BATCH_BYTES), message(MAX_BATCH_BYTES)])).toHaveLength(2);
  expect(splitSends(Array.from({ length: MAX_SEND_MESSAGES + 1 }, () => message(10))).map((s) => s.length)).toEqual([
    MAX_SEND_MESSAGES,
    1,
  ]);
  expect(splitSends([])).toEqual([]);
});
