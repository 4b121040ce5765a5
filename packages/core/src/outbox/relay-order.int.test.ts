import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { restartServer } from '../../../../stack/services/control-server.ts';
import { ORDER_TOPIC } from '../domain/index.ts';
import { inTransaction } from '../platform/index.ts';
import { createProducer } from '../stream/index.ts';
import { watchTopics } from '../stream/topic-reader.testing.ts';
import { until } from '../testing/until.ts';
import { append, createRelayLoop } from './index.ts';
import { outboxDesk, tradePaid } from './outbox-desk.testing.ts';

const { pool, stream, deps, appendAll, readOutbox } = outboxDesk(process.env.KAFKA_BROKERS);
const unsent = async () => (await readOutbox()).filter((row) => row.status !== 'SENT').length;

test('C31 – Events of transactions that commit in any order, some of which roll back, are all sent (1 000 instead of 5 000, pauses of 30 ms instead of 300)', async () => {
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  const relay = createRelayLoop({ ...deps(), pollMs: 20 });
  relay.start();
  const committed: string[] = [];
  let next = 0;
  const work = async () => {
    while (next < 1000) {
      const n = next++;
      const key = randomUUID();
      await inTransaction(pool(), async (tx) => {
        await append(tx, [tradePaid(key)]);
        await sleep((n * 7919) % 31);
        if (n % 50 === 0) throw new Error('rolled back');
      }).then(
        () => committed.push(key),
        () => undefined,
      );
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  await until('all is sent', async () => (await unsent()) === 0, 40_000);
  await relay.stop();
  const rows = await readOutbox();
  const found = await watch.read();
  expect(committed).toHaveLength(980);
  expect(rows).toHaveLength(980);
  expect(new Set(found.map((m) => m.key))).toEqual(new Set(committed));
  expect(new Set(found.map((m) => m.id))).toEqual(new Set(rows.map((row) => row.eventId)));
}, 90_000);

test('C35 – The broker is restarted in the middle of 10 000 events: none is missing, and each key keeps its sequence', async () => {
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  const keys = Array.from({ length: 100 }, () => randomUUID());
  for (let n = 0; n < 100; n++) await appendAll(keys);
  const own = createProducer(stream());
  const relay = createRelayLoop({ ...deps({ producer: own, batchSize: 500 }), pollMs: 20 });
  relay.start();
  await until('it has begun', async () => (await unsent()) < 9000);
  await restartServer(process.env.HOLDFAST_STACK_DIR ?? '', 'kafka');
  await until('a new producer has sent the rest', async () => (await unsent()) === 0, 60_000);
  await relay.stop();
  await own.close();
  const order = new Map((await readOutbox()).map((row, index) => [row.eventId, index]));
  const found = await watch.read();
  expect(new Set(found.map((m) => m.id))).toEqual(new Set(order.keys()));
  for (const key of keys) {
    const first = [...new Set(found.filter((m) => m.key === key).map((m) => m.id))].map((id) => order.get(id) ?? -1);
    expect(first).toEqual(first.toSorted((a, b) => a - b));
  }
}, 180_000);
