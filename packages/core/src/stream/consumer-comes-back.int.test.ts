import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { restartServer } from '../../../../stack/services/control-server.ts';
import { until } from '../testing/until.ts';
import { type ConsumerDesk, openConsumerDesk } from './consumer-desk.testing.ts';
import { createProducer, ensureTopics, type Producer, type RunningConsumer, type Stream } from './index.ts';
import { connectTestKafka } from './topic-reader.testing.ts';

let desk: ConsumerDesk;
let stream: Stream;
let producer: Producer;
let consumer: RunningConsumer;
let deaths: number;
beforeAll(() => {
  stream = connectTestKafka(process.env.KAFKA_BROKERS, 2);
  producer = createProducer(stream);
});
afterAll(() => producer.close());
beforeEach(async () => {
  deaths = 0;
  desk = await openConsumerDesk(stream);
});
afterEach(() => desk.close());

/** What a supervisor does with a process whose consumer is gone for good. */
async function supervise(): Promise<void> {
  const onFatal = () => {
    deaths++;
    void consumer.stop().then(supervise);
  };
  consumer = await desk.consume({}, { onFatal });
}
async function handlesOneMore(count: number): Promise<void> {
  const message = desk.message(randomUUID());
  const send = () =>
    producer.send([message]).then(
      () => true,
      () => false,
    );
  await until('the broker takes it', send, 60_000);
  await until('it is handled', async () => ((await desk.count('effect')) ?? 0) >= count, 60_000);
  await until('health is green', () => consumer.health().running, 60_000);
}

test('C39 – A topic that is deleted and made again under a running consumer is consumed again within a minute', async () => {
  await supervise();
  await handlesOneMore(1);
  const admin = stream.kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [desk.topic] });
  await admin.disconnect();
  await until('the topic is made again', () =>
    ensureTopics(stream, [desk.topic]).then(
      () => true,
      () => false,
    ),
  );
  await handlesOneMore(2);
}, 180_000);

test('C39 – After each of several restarts of the broker a new event is handled (3 instead of 10)', async () => {
  await supervise();
  await handlesOneMore(1);
  for (let n = 2; n <= 4; n++) {
    await restartServer(process.env.HOLDFAST_STACK_DIR ?? '', 'kafka');
    await handlesOneMore(n);
  }
  expect(deaths).toBe(0);
}, 240_000);
