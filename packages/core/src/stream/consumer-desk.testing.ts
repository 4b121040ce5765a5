/** A database, a topic and consumers of one test; every handled event leaves a row in `effect`. */
import { randomUUID } from 'node:crypto';
import { openIncident } from '../ops/index.ts';
import { type Sql, silentLog } from '../platform/index.ts';
import { createTestDatabase } from '../testing/database.ts';
import { until } from '../testing/until.ts';
import {
  type ConsumerDefinition,
  type ConsumerDeps,
  type OutgoingMessage,
  partitionOf,
  type RunningConsumer,
  type Stream,
  startConsumer,
} from './index.ts';
import { createTestTopic } from './topic-reader.testing.ts';

export type ConsumerDesk = Awaited<ReturnType<typeof openConsumerDesk>>;

export async function openConsumerDesk(stream: Stream) {
  const database = await createTestDatabase('stream');
  await database.pool.query('CREATE TABLE effect (event_id uuid NOT NULL, key text NOT NULL)');
  const topic = await createTestTopic(stream);
  const consumers: RunningConsumer[] = [];
  const deps: ConsumerDeps = {
    stream,
    pool: database.pool,
    log: silentLog,
    openIncident,
    wake: () => undefined,
    onFatal: (error) => {
      throw error;
    },
    backOff: { initialMs: 20, multiplier: 2, maxMs: 200 },
  };
  const count = async (table: string) =>
    (await database.pool.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${table}`)).rows[0]?.n;
  return {
    database,
    topic,
    writeEffect,
    count,
    message: (key: string, more: MessageParts = {}) => messageOf(topic, key, more),
    handled: (n: number) => until(`${n} effects`, async () => (await count('effect')) === n, 60_000),
    async consume(more: Partial<ConsumerDefinition> = {}, moreDeps: Partial<ConsumerDeps> = {}) {
      const consumer = await startConsumer(
        { ...deps, ...moreDeps },
        {
          name: `test.${topic}`,
          topic,
          types: ['TRADE_PAID'],
          answersForUnknown: true,
          handle: writeEffect,
          wakes: [],
          ...more,
        },
      );
      consumers.push(consumer);
      return consumer;
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
