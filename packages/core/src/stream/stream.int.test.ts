import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { restartServer } from '../../../../stack/services/control-server.ts';
import { until } from '../testing/until.ts';
import { type ConsumerDesk, openConsumerDesk } from './consumer-desk.testing.ts';
import { createProducer, ensureTopics, type Producer, type Stream, TopicMismatch } from './index.ts';
import { connectTestKafka, watchTopics } from './topic-reader.testing.ts';

let desk: ConsumerDesk;
let stream: Stream;
let producer: Producer;
beforeAll(() => {
  stream = connectTestKafka(process.env.KAFKA_BROKERS, 2);
  producer = createProducer(stream);
});
afterAll(() => producer.close());
beforeEach(async () => {
  desk = await openConsumerDesk(stream);
});
afterEach(() => desk.close());

test('A topic with another partition count is refused at start, naming both', async () => {
  await expect(ensureTopics(connectTestKafka(process.env.KAFKA_BROKERS, 3), [desk.topic])).rejects.toThrow(
    TopicMismatch,
  );
  await expect(ensureTopics(connectTestKafka(process.env.KAFKA_BROKERS, 3), [desk.topic])).rejects.toThrow(
    /has 2 partitions, KAFKA_PARTITIONS is 3/,
  );
  await ensureTopics(stream, [desk.topic]);
});

test('A send tells the partition and offset of each of its messages', async () => {
  const watch = await watchTopics(stream, [desk.topic]);
  const sent = Array.from({ length: 50 }, () => desk.message(randomUUID()));
  const placed = [...(await producer.send(sent.slice(0, 20))), ...(await producer.send(sent.slice(20)))];
  const at = new Map((await watch.read()).map((found) => [`${found.partition}/${found.offset}`, found.id]));
  expect(placed.map(({ partition, offset }) => at.get(`${partition}/${offset}`))).toEqual(sent.map((m) => m.eventId));
});

test('Events repeated in the topic have one effect, and foreign types are passed over', async () => {
  const events = Array.from({ length: 30 }, () => desk.message(randomUUID()));
  await producer.send([
    ...events,
    desk.message(randomUUID(), { type: 'TRADE_CREATED', value: 'not even JSON' }),
    ...events,
  ]);
  const consumer = await desk.consume();
  await desk.handled(30);
  await until('the end of the topic', () => consumer.health().lag === 0);
  expect(await desk.count('effect')).toBe(30);
  expect(await desk.count(`tinystore_inventory.inbox_event`)).toBe(30);
  expect(await desk.count('tinystore_inventory.dead_letter')).toBe(0);
  expect(consumer.health()).toMatchObject({ running: true, waitingFor: null });
});

test('C38 – Mark and effect stand or fall together when the database drops the connection', async () => {
  await producer.send(Array.from({ length: 60 }, () => desk.message(randomUUID())));
  let drops = 3;
  await desk.consume({
    async handle(tx, events) {
      await desk.writeEffect(tx, events);
      if (drops-- > 0) await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
      return [];
    },
  });
  await desk.handled(60);
  expect(drops).toBeLessThan(0);
  expect(await desk.count('tinystore_inventory.inbox_event')).toBe(60);
  expect(await desk.count('tinystore_inventory.dead_letter')).toBe(0);
});

test('C38 – A consumer that ends between commit and offset repeats nothing when it comes back', async () => {
  await producer.send(Array.from({ length: 40 }, () => desk.message(randomUUID())));
  const first = await desk.consume();
  await desk.handled(40);
  await first.stop();
  const admin = stream.kafka.admin();
  await admin.connect();
  await admin.setOffsets({
    groupId: `test.${desk.topic}`,
    topic: desk.topic,
    partitions: [0, 1].map((partition) => ({ partition, offset: '0' })),
  });
  await admin.disconnect();
  await producer.send([desk.message(randomUUID())]);
  const second = await desk.consume();
  await desk.handled(41);
  await until('the end of the topic', () => second.health().lag === 0 && second.health().lastHandledAt !== null);
  expect(await desk.count('effect')).toBe(41);
});

test('C39 – A broker that restarts costs no event, and the consumer comes back by itself', async () => {
  let fatal: Error | undefined;
  const consumer = await desk.consume(
    {},
    {
      onFatal: (error) => {
        fatal = error;
      },
    },
  );
  await producer.send([desk.message(randomUUID())]);
  await desk.handled(1);
  await restartServer(process.env.HOLDFAST_STACK_DIR ?? '', 'kafka');
  const late = desk.message(randomUUID());
  await until(
    'the producer is back',
    () =>
      producer.send([late]).then(
        () => true,
        () => false,
      ),
    60_000,
  );
  await desk.handled(2);
  expect(fatal).toBeUndefined();
  await until('health is green again', () => consumer.health().running);
}, 180_000);
