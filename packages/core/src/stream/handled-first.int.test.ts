import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../platform/index.ts';
import { until } from '../testing/until.ts';
import { type ConsumerDesk, openConsumerDesk } from './consumer-desk.testing.ts';
import { handleOnce } from './handle-once.ts';
import { createProducer, type Producer, type Stream } from './index.ts';
import { readMessage } from './read-message.ts';
import { connectTestKafka } from './topic-reader.testing.ts';

let desk: ConsumerDesk;
let stream: Stream;
let producer: Producer;
beforeEach(async () => {
  stream = connectTestKafka(process.env.KAFKA_BROKERS, 2);
  producer = createProducer(stream);
  desk = await openConsumerDesk(stream);
});
afterEach(async () => {
  await desk.close();
  await producer.close();
});

/** How many messages the consumer's group has told the broker that it is done with. */
async function countPassed(): Promise<number> {
  const admin = stream.kafka.admin();
  await admin.connect();
  try {
    const found = await admin.fetchOffsets({ groupId: `test.${desk.topic}`, topics: [desk.topic] });
    return found.flatMap(({ partitions }) => partitions).reduce((sum, at) => sum + Math.max(0, Number(at.offset)), 0);
  } finally {
    await admin.disconnect();
  }
}

test('C38 – The broker hears that an event is done only after its effect is committed', async () => {
  await producer.send(Array.from({ length: 5 }, () => desk.message(randomUUID())));
  const passedInside: number[] = [];
  await desk.consume(
    {},
    {
      stopAt: async (point) => {
        if (point === 'consumer.after-effect')
          passedInside.push((await countPassed()) - Number(await desk.count('effect')));
      },
    },
  );
  await desk.handled(5);
  await until('the offsets are committed', async () => (await countPassed()) === 5);
  expect(passedInside.length).toBeGreaterThan(0);
  expect(passedInside.filter((ahead) => ahead > 0)).toEqual([]);
});

test('C38 – An event whose effect was taken back is not marked as handled', async () => {
  const { value, key, type } = desk.message(randomUUID());
  const message = {
    key: Buffer.from(key),
    value,
    headers: { type: Buffer.from(type) },
    timestamp: '0',
    attributes: 0,
    offset: '0',
  };
  const event = readMessage({ topic: desk.topic, partition: 0, offset: '0', message });
  if (event.kind !== 'event') throw new Error(event.reason);
  const definition = {
    name: 'test',
    topic: desk.topic,
    types: [event.event.type],
    answersForUnknown: true,
    handle: desk.writeEffect,
    wakes: [],
  };
  const handling = inTransaction(desk.database.pool, async (tx) => {
    await handleOnce(desk.deps, definition, tx, [event]);
    throw new Error('the session ends here');
  });
  await expect(handling).rejects.toThrow('the session ends here');
  expect(await desk.count('effect')).toBe(0);
  expect(await desk.count('tinystore_inventory.inbox_event')).toBe(0);
});
