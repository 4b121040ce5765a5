/** A database, a topic and consumers of one test; every handled event leaves a row in `effect`. */
import { randomUUID } from 'node:crypto';
import { createLetterReports } from '../ops/console/dead-letters/report-letters.ts';
import { type Sql, silentLog } from '../platform/index.ts';
import { createTestDatabase } from '../testing/database.ts';
import { until } from '../testing/until.ts';
import {
  type ConsumerDefinition,
  type ConsumerDeps,
  type OutgoingMessage,
  partitionOf,
  type RunningConsumer,
  retryLetters,
  type Stream,
  startConsumer,
} from './index.ts';
import { createTestTopic } from './topic-reader.testing.ts';

const DEFINITION = { types: ['TRADE_PAID'], answersForUnknown: true, wakes: [] } as const;

export type ConsumerDesk = Awaited<ReturnType<typeof openConsumerDesk>>;

export async function openConsumerDesk(stream: Stream) {
  const database = await createTestDatabase('stream');
  await database.pool.query('CREATE TABLE effect (event_id uuid NOT NULL, key text NOT NULL)');
  const topic = await createTestTopic(stream);
  const consumers: RunningConsumer[] = [];
  let last: ConsumerDefinition | undefined;
  const deps: ConsumerDeps = {
    stream,
    pool: database.pool,
    log: silentLog,
    letters: createLetterReports({ dltEnabled: true }),
    wake: () => undefined,
    onFatal: (error) => {
      throw error;
    },
    retry: { maxAttempts: 5, initialMs: 20, multiplier: 2, maxMs: 200 },
  };
  let used = deps;
  const count = async (table: string) =>
    (await database.pool.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`)).rows[0]?.n;
  return {
    database,
    deps,
    topic,
    writeEffect,
    count,
    message: (key: string, more: MessageParts = {}) => messageOf(topic, key, more),
    handled: (n: number) => until(`${n} effects`, async () => (await count('effect')) === n, 60_000),
    async consume(more: Partial<ConsumerDefinition> = {}, moreDeps: Partial<ConsumerDeps> = {}) {
      last = { ...DEFINITION, name: `test.${topic}`, topic, handle: writeEffect, ...more };
      used = { ...deps, ...moreDeps };
      const consumer = await startConsumer(used, last);
      consumers.push(consumer);
      return consumer;
    },
    /** What stream.retry does at a tick, with the last consumer's settings and its handler or another one. */
    async retry(handle = last?.handle) {
      if (!last || !handle) throw new Error('nothing is consumed here');
      return retryLetters(used, [{ ...last, handle }]);
    },
    /** Ticks until nothing is RETRYING any more. */
    retried(handle = last?.handle) {
      return until('every try is over', async () => {
        await this.retry(handle);
        return (await count(`tinystore_inventory.dead_letter WHERE status = 'RETRYING'`)) === 0;
      });
    },
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await database.drop();
    },
  };
}

interface MessageParts {
  readonly type?: string;
  readonly value?: string;
}

function messageOf(topic: string, key: string, more: MessageParts): OutgoingMessage & { eventId: string } {
  const eventId = randomUUID();
  const type = more.type ?? 'TRADE_PAID';
  const body = {
    id: eventId,
    type,
    version: 1,
    key,
    occurredAt: new Date().toISOString(),
    traceId: 't',
    payload: { tradeId: key, buyerId: key },
  };
  return {
    topic,
    partition: partitionOf(key, 2),
    key,
    value: Buffer.from(more.value ?? JSON.stringify(body)),
    type,
    eventId,
  };
}

async function writeEffect(tx: Sql, events: readonly { id: string; key: string }[]) {
  await tx.query('INSERT INTO effect SELECT * FROM unnest($1::uuid[], $2::text[])', [
    events.map((e) => e.id),
    events.map((e) => e.key),
  ]);
  return [];
}
