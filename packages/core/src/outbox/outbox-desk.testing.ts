/** What the relay's tests share: a database and topics of their own, and reads of the outbox. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { ORDER_TOPIC } from '../domain/index.ts';
import { inTransaction, type Pool, silentLog } from '../platform/index.ts';
import { createProducer, ensureTopics, type Producer, type Stream } from '../stream/index.ts';
import { connectTestKafka } from '../stream/topic-reader.testing.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { append, type NewEvent, type RelayDeps } from './index.ts';

export interface OutboxRow {
  id: number;
  eventId: string;
  status: string;
  partition: number | null;
  offset: number | null;
  reason: string | null;
}
export const tradePaid = (key: string): NewEvent => ({
  type: 'TRADE_PAID',
  key,
  traceId: 'test',
  payload: { tradeId: key, buyerId: key },
});

/** To be called once in a test file; a new database for each test. */
export function outboxDesk(brokers: string | undefined) {
  let database: TestDatabase;
  let stream: Stream;
  let producer: Producer;
  beforeAll(async () => {
    stream = connectTestKafka(brokers);
    await ensureTopics(stream);
    producer = createProducer(stream);
  });
  afterAll(() => producer.close());
  beforeEach(async () => {
    database = await createTestDatabase('relay');
  });
  afterEach(() => database.drop());
  const pool = (): Pool => database.pool;

  async function readOutbox(): Promise<OutboxRow[]> {
    const { rows } = await pool().query<OutboxRow>(
      `SELECT id, event_id AS "eventId", status, partition, "offset", parked_reason AS reason FROM tinystore_order.outbox ORDER BY id`,
    );
    return rows;
  }
  return {
    pool,
    stream: () => stream,
    databaseUrl: () => database.url,
    deps: (more: Partial<RelayDeps> = {}): RelayDeps => ({
      pool: pool(),
      producer,
      log: silentLog,
      holder: 'relay',
      batchSize: 5000,
      ...more,
    }),
    appendAll: (keys: readonly string[]) => inTransaction(pool(), (tx) => append(tx, keys.map(tradePaid))),
    insert: (type: string, key: string, payload: string) =>
      pool().query(
        `WITH e AS (INSERT INTO tinystore_order.outbox_event (event_id, type, topic, key, trace_id, payload)
                    VALUES ($1, $2, $3, $4, 'test', $5::jsonb) RETURNING id)
         INSERT INTO tinystore_order.outbox_pending (id) SELECT id FROM e`,
        [randomUUID(), type, ORDER_TOPIC, key, payload],
      ),
    readOutbox,
    statuses: async () => (await readOutbox()).map((row) => row.status),
  };
}
