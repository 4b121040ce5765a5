/** The same thing twice, and an older thing after a newer one: orders by HTTP, messages by Kafka, notices, gate effects. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClaimedEvent } from '../../outbox/claim-batch.ts';
import { encodeEvent } from '../../outbox/encode-event.ts';
import { type Pool, silentLog } from '../../platform/index.ts';
import { connectKafka, createProducer } from '../../stream/index.ts';
import { until } from '../until.ts';
import type { Stand } from './faults.ts';
import { PARTITIONS, type Product } from './product.ts';
import { field, newBuyer } from './shop-client.ts';

const NEWEST = 20;
const NEWER_PASS_MS = 1500;

export async function doubleOnItsWay(stand: Stand): Promise<void> {
  const { product, step, held, shoppers } = stand;
  if (step.carries === 'order') {
    const repeated = shoppers.repeatOrders();
    held.forward();
    return repeated;
  }
  if (step.carries === 'message') {
    held.forward();
    return publishAgain(product, 'newest');
  }
  // Head and body of a request may come one after the other.
  const bytes = await until('the request is whole', () => (isWhole(held.bytes()) ? held.bytes() : undefined));
  held.forward();
  await sendBytes(step.carries === 'notice' ? product.links.http.port : redisPort(product), bytes);
}

export async function delayOlder({ product, step, held }: Stand): Promise<void> {
  if (step.carries === 'notice') {
    held.forward();
    return delayNotice(product);
  }
  const bytes = held.bytes();
  held.forward();
  await sleep(NEWER_PASS_MS);
  if (step.carries === 'message') return publishAgain(product, 'oldest');
  await sendBytes(redisPort(product), bytes);
}

/** The same event ids once more, as after an `order.audit`; the oldest ones belong to orders that have ended. */
async function publishAgain({ pool, kafka: { brokers, prefix } }: Product, which: 'newest' | 'oldest'): Promise<void> {
  const stores = { KAFKA_BROKERS: brokers, KAFKA_PARTITIONS: PARTITIONS, KAFKA_PREFIX: prefix };
  const producer = createProducer(connectKafka(stores, silentLog, 'faults'));
  try {
    const messages = (await readSent(pool, which)).flatMap((event) => {
      const encoded = encodeEvent(event, PARTITIONS);
      return encoded.kind === 'message' ? [encoded.message] : [];
    });
    if (messages.length === 0) throw new Error('there is no message to send again');
    await producer.send(messages);
  } finally {
    await producer.close();
  }
}

async function readSent(pool: Pool, which: 'newest' | 'oldest'): Promise<ClaimedEvent[]> {
  const { rows } = await pool.query<ClaimedEvent>(
    `SELECT e.id, e.event_id AS "eventId", e.type, e.topic, e.key, e.trace_id AS "traceId", e.occurred_at AS "occurredAt",
            e.payload::text AS payload, false AS "behindParked"
     FROM tinystore_order.outbox_event e JOIN tinystore_order.outbox_sent s ON s.id = e.id
     ORDER BY e.id ${which === 'newest' ? 'DESC' : 'ASC'} LIMIT ${NEWEST}`,
  );
  return rows;
}

/** The first try of a payment fails, the second pays; the notice of the first comes last. */
async function delayNotice({ client, links }: Product): Promise<void> {
  const buyer = newBuyer();
  const tradeId = field(await client.place(buyer, 'K1'), 'tradeId');
  const intentId = field(await client.startPayment(buyer, tradeId), 'intentId');
  const first = links.http.hold({
    at: 'request',
    is: (bytes) => bytes.includes('payment.failed'),
  });
  const declined = client.atProvider(buyer, intentId, 'decline');
  const older = await first;
  await client.startPayment(buyer, tradeId);
  await client.atProvider(buyer, intentId, 'pay');
  older.forward();
  await declined;
}

const redisPort = ({ redisUrl }: Product) => Number(new URL(redisUrl).port);

/** A request by HTTP ends with its body, a command to Redis needs no second look. */
function isWhole(bytes: Buffer): boolean {
  return !bytes.includes('POST ') || bytes.at(-1) === '}'.charCodeAt(0);
}

async function sendBytes(port: number, bytes: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  await once(socket, 'data');
  socket.destroy();
}
