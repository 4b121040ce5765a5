import { INVENTORY_TOPIC, ORDER_TOPIC } from '@holdfast/core/domain';
import { checkInvariants, until } from '@holdfast/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OrderChain, openOrderChain } from '../order-chain.testing.ts';

let chain: OrderChain;
beforeEach(async () => {
  chain = await openOrderChain('topics', process.env.KAFKA_BROKERS);
  await chain.shop.stock('K1', 10);
});
afterEach(() => chain.close());

const DLT = `${ORDER_TOPIC}.DLT`;
async function remove(topic: string): Promise<void> {
  const admin = chain.stream.kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [`${chain.stream.prefix}${topic}`] });
  await admin.disconnect();
}
async function messagesIn(topic: string): Promise<number> {
  const admin = chain.stream.kafka.admin({ retry: { retries: 0 } });
  await admin.connect();
  try {
    const offsets = await admin.fetchTopicOffsets(`${chain.stream.prefix}${topic}`);
    return offsets.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
  } finally {
    await admin.disconnect();
  }
}

test('C47 – Start-up makes every topic, and an order is recorded on an empty broker', async () => {
  for (const topic of [ORDER_TOPIC, INVENTORY_TOPIC, DLT, `${INVENTORY_TOPIC}.DLT`])
    expect(await messagesIn(topic)).toBe(0);
  await chain.startConsumers();
  chain.startRelay();
  await chain.place();
  await chain.settled();
  expect(await checkInvariants({ pool: chain.shop.pool, gate: chain.shop.gate })).toEqual([]);
});

test('C47 – While the dead-letter topic is away nothing is lost; once it is there again there is one dead letter in it', async () => {
  await chain.startConsumers();
  await remove(DLT);
  const value = Buffer.from('{"broken');
  await chain.producer.send([{ topic: ORDER_TOPIC, partition: 0, key: 'k', value, type: 'NO_SUCH_TYPE' }]);
  await until(
    'it is given up',
    async () => (await chain.count(`tinystore_inventory.dead_letter WHERE status = 'DEAD'`)) === 1,
  );
  chain.startRelay();
  await until(
    'it is in the topic',
    () =>
      messagesIn(DLT).then(
        (n) => n === 1,
        () => false,
      ),
    40_000,
  );
  await chain.place();
  await chain.settled();
  expect(await messagesIn(DLT)).toBe(1);
}, 90_000);
