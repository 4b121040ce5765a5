import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ORDER_TOPIC } from '../domain/index.ts';
import { holdLease } from '../platform/index.ts';
import { createProducer, type Producer } from '../stream/index.ts';
import { connectTestKafka, watchTopics } from '../stream/topic-reader.testing.ts';
import { setClockOffset } from '../testing/clock.ts';
import { until } from '../testing/until.ts';
import { claimBatch } from './claim-batch.ts';
import { append, createRelayLoop, RELAY_LEASE, RELAY_LEASE_MS, relayOnce } from './index.ts';
import { outboxDesk, tradePaid } from './outbox-desk.testing.ts';

const { pool, stream, databaseUrl, deps, appendAll, readOutbox, statuses } = outboxDesk(process.env.KAFKA_BROKERS);

test('C31 – An event is sent although one with a greater id was committed and sent before it', async () => {
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  const slow = await pool().connect();
  await slow.query('BEGIN');
  await append(slow, [tradePaid(randomUUID())]);
  await appendAll([randomUUID()]);
  expect(await relayOnce(deps())).toBe(1);
  await slow.query('COMMIT');
  slow.release();
  expect(await relayOnce(deps())).toBe(1);
  const rows = await readOutbox();
  const found = await watch.read();
  expect(
    found.map(({ id, partition, offset }) => ({ id, partition, offset })).sort((a, b) => (a.id < b.id ? -1 : 1)),
  ).toEqual(
    rows
      .map(({ eventId, partition, offset }) => ({ id: eventId, partition, offset }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
});

test('Each sent row names the partition and offset where its event stands, and the envelope carries its payload', async () => {
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  const keys = Array.from({ length: 300 }, () => randomUUID());
  await appendAll(keys);
  expect(await relayOnce(deps())).toBe(300);
  const at = new Map((await watch.read()).map((m) => [`${m.partition}/${m.offset}`, m]));
  for (const [index, row] of (await readOutbox()).entries()) {
    const message = at.get(`${row.partition}/${row.offset}`);
    expect(message?.id).toBe(row.eventId);
    expect(JSON.parse(message?.value ?? '')).toMatchObject({
      id: row.eventId,
      type: 'TRADE_PAID',
      version: 1,
      key: keys[index],
      payload: { tradeId: keys[index] },
    });
  }
});

test('C11 – A relay killed after the ack sends again, and every event keeps its id', async () => {
  await appendAll(Array.from({ length: 20 }, () => randomUUID()));
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  const crash = new URL('./crash-at-step.testing.ts', import.meta.url).pathname;
  const signal = await new Promise((resolve) =>
    execFile(process.execPath, [crash, databaseUrl(), process.env.KAFKA_BROKERS ?? '', 'after-ack'], (error) =>
      resolve(error?.signal),
    ),
  );
  expect(signal).toBe('SIGKILL');
  expect(new Set(await statuses())).toEqual(new Set(['PENDING']));
  await until('the dead relay loses its lease', async () => (await relayOnce(deps())) === 20);
  const found = await watch.read();
  expect(found).toHaveLength(40);
  expect(new Set(found.map((m) => m.id)).size).toBe(20);
  expect(new Set(await statuses())).toEqual(new Set(['SENT']));
});

test('C11 – Three relays that start together leave no event out and none pending', async () => {
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  const keys = Array.from({ length: 200 }, () => randomUUID());
  for (let page = 0; page < 10; page++)
    await appendAll(Array.from({ length: 1000 }, (_, n) => keys[n % keys.length] ?? ''));
  const loops = ['a', 'b', 'c'].map((holder) =>
    createRelayLoop({
      ...deps({ holder, leaseMs: 40, batchSize: 700, producer: createProducer(stream()) }),
      pollMs: 20,
    }),
  );
  for (const loop of loops) loop.start();
  await until('everything is sent', async () => (await statuses()).every((status) => status === 'SENT'), 50_000);
  await Promise.all(loops.map((loop) => loop.stop()));
  const found = await watch.read();
  const ids = (await readOutbox()).map((row) => row.eventId);
  expect(new Set(found.map((m) => m.id))).toEqual(new Set(ids));
  expectKeyOrder(found, ids);
});

/** First appearances of each key follow the order of its rows. */
function expectKeyOrder(found: readonly { id: string; key: string }[], ids: readonly string[]): void {
  const place = new Map(ids.map((id, index) => [id, index]));
  const seen = new Set<string>();
  const last = new Map<string, number>();
  for (const { id, key } of found) {
    if (seen.has(id)) continue;
    seen.add(id);
    expect(place.get(id)).toBeGreaterThan(last.get(key) ?? -1);
    last.set(key, place.get(id) ?? -1);
  }
}

test('C32 – A relay that sleeps on its batch does not disturb the order of a key, and marks nothing of its successor', async () => {
  const x = randomUUID();
  await appendAll([randomUUID(), randomUUID(), randomUUID(), x, x, x, x, randomUUID(), randomUUID(), randomUUID()]);
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  let wake: () => void = () => undefined;
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  let taken = false;
  const own = createProducer(stream());
  const sleeper: Producer = {
    ...own,
    async send(messages) {
      taken = true;
      await asleep;
      return own.send(messages);
    },
  };
  const first = relayOnce(deps({ holder: 'first', producer: sleeper, batchSize: 5, leaseMs: 50 })).catch(
    (error: unknown) => error,
  );
  await until('the first relay has its batch', () => taken);
  await until(
    'the second relay takes over',
    async () => (await relayOnce(deps({ holder: 'second', batchSize: 5 }))) === 10,
  );
  const marked = await readOutbox();
  wake();
  await first;
  expect(await readOutbox()).toEqual(marked);
  const found = await watch.read();
  expect(found.length).toBeGreaterThanOrEqual(10);
  expectKeyOrder(
    found,
    marked.map((row) => row.eventId),
  );
  await own.close();
});

test('C32 – A relay that hangs for good holds its events back for the length of its lease, then another sends them all', async () => {
  const x = randomUUID();
  await appendAll([randomUUID(), x, x, x, x, randomUUID()]);
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  let taken = false;
  let end: (why: Error) => void = () => undefined;
  const hangs: Producer = {
    ...deps().producer,
    send() {
      taken = true;
      return new Promise((_, reject) => {
        end = reject;
      });
    },
  };
  const first = relayOnce(deps({ holder: 'first', producer: hangs, batchSize: 3 })).catch((error: unknown) => error);
  await until('the first relay has its batch', () => taken);
  await appendAll([randomUUID()]);
  expect(await relayOnce(deps({ holder: 'second' }))).toBe(0);

  await setClockOffset(pool(), RELAY_LEASE_MS + 1000);
  expect(await relayOnce(deps({ holder: 'second' }))).toBe(7);
  const rows = await readOutbox();
  expect(rows.map((row) => row.status)).toEqual(Array(7).fill('SENT'));
  expectKeyOrder(
    await watch.read(),
    rows.map((row) => row.eventId),
  );
  end(new Error('the test is over'));
  await first;
  expect(await readOutbox()).toEqual(rows);
});

test('C11 – Of eight relays that take over one stale claim at once exactly one gets it; the others get no row', async () => {
  await appendAll([randomUUID(), randomUUID()]);
  await holdLease(pool(), RELAY_LEASE, 'stale', 60_000);
  expect(await relayOnce(deps())).toBe(0);
  const names = Array.from({ length: 8 }, (_, n) => `new ${n}`);
  const got = await Promise.all(names.map((name) => holdLease(pool(), RELAY_LEASE, name, 60_000, 'stale')));
  expect(got.filter(Boolean)).toHaveLength(1);
  const claims = await Promise.all(names.map((name) => claimBatch(pool(), name, [], 10)));
  expect(claims.map((batch) => batch.length)).toEqual(got.map((won) => (won ? 2 : 0)));
});

test('A broker that is away parks nothing and loses nothing', async () => {
  await appendAll([randomUUID(), randomUUID()]);
  const away = createProducer(connectTestKafka('127.0.0.1:1'));
  await expect(relayOnce(deps({ producer: away }))).rejects.toThrow();
  await away.close();
  expect(await statuses()).toEqual(['PENDING', 'PENDING']);
  expect(await relayOnce(deps())).toBe(2);
});
