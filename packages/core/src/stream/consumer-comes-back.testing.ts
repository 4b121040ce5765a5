/** A consumer and its supervisor, while topic and broker go and come back. Registers the tests of C39. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { restartServer } from '../../../../stack/services/control-server.ts';
import { until } from '../testing/until.ts';
import { type ConsumerDesk, openConsumerDesk } from './consumer-desk.testing.ts';
import { createProducer, ensureTopics, type Producer, type RunningConsumer, type Stream } from './index.ts';
import { connectTestKafka } from './topic-reader.testing.ts';

interface Setting {
  readonly brokers: string | undefined;
  readonly stackDir: string | undefined;
  /** A restart takes a group the better part of a minute, so `int` leaves them to stream.int.test.ts, which has one. */
  readonly restarts: number;
}

export function testComesBack({ brokers, stackDir, restarts }: Setting): void {
  let desk: ConsumerDesk;
  let stream: Stream;
  let producer: Producer;
  let consumer: RunningConsumer;
  let deaths: number;
  beforeAll(() => {
    stream = connectTestKafka(brokers, 2);
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
    await remake(stream, desk.topic);
    await handlesOneMore(2);
  }, 180_000);

  if (restarts === 0) return;
  test(`C39 – After each of ${restarts} restarts of the broker a new event is handled within a minute`, async () => {
    await supervise();
    await handlesOneMore(1);
    for (let n = 2; n <= restarts + 1; n++) {
      await restartServer(stackDir ?? '', 'kafka');
      await handlesOneMore(n);
    }
    expect(deaths).toBe(0);
  }, 1_500_000);
}

async function remake(stream: Stream, topic: string): Promise<void> {
  const admin = stream.kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
  await until('the topic is made again', () =>
    ensureTopics(stream, [topic]).then(
      () => true,
      () => false,
    ),
  );
}
