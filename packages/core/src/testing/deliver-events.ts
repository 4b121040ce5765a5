/**
 * Hands every pending outbox event to ledger and order, in id order, until nothing is pending: what relay, topics
 * and consumers do, without the stream. Neighbours of one kind go as one set. For tests that are not about the
 * stream.
 */
import { EVENT_SCHEMAS, type EventType, type IncomingEvent, isEventType } from '../domain/index.ts';
import { confirmTrades, recordReservations, releaseReservations } from '../ledger/index.ts';
import { applyInventoryEvents } from '../order/apply-inventory-events.ts';
import { applyTradeEvents } from '../order/apply-trade-events.ts';
import { applyPromotionEvents } from '../order/promotion/apply-promotion-events.ts';
import { useCoupons } from '../order/promotion/use-coupons.ts';
import { inTransaction, type Pool, type Tx } from '../platform/index.ts';

const MOST_ROUNDS = 100;
/** Stands for the partition of an event that no broker has seen. */
const WITHOUT_STREAM = -1;

/** Returns the types delivered, in order. With `only`, events of other types stay pending. */
export async function deliverEvents(pool: Pool, only?: readonly EventType[]): Promise<EventType[]> {
  const delivered: EventType[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const events = await inTransaction(pool, (tx) => deliverPending(tx, only));
    if (events.length === 0) return delivered;
    delivered.push(...events.map((event) => event.type));
  }
  throw new Error(`still pending after ${MOST_ROUNDS} rounds: the events feed each other`);
}

/** Delivers the oldest pending event that nobody else is delivering; false when there is none. For racers side by side. */
export async function deliverNext(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const events = (await handOver(tx, NEXT, [])).map(parse);
    await dispatch(tx, events);
    return events.length > 0;
  });
}

interface Row {
  readonly id: number;
  readonly eventId: string;
  readonly type: string;
  readonly key: string;
  readonly traceId: string;
  readonly payload: unknown;
}

const ALL = `$1::text[] IS NULL OR e.type = ANY($1)`;
const NEXT = `p.id = (SELECT id FROM tinystore_order.outbox_pending WHERE status = 'PENDING'
                      ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)`;

/** Takes events out of the outbox as if they were sent. */
async function handOver(tx: Tx, which: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await tx.query<Row>(
    `WITH handed AS (
       DELETE FROM tinystore_order.outbox_pending p USING tinystore_order.outbox_event e
       WHERE p.id = e.id AND p.status = 'PENDING' AND (${which}) RETURNING e.*
     ), sent AS (
       INSERT INTO tinystore_order.outbox_sent (id, partition, "offset") SELECT id, ${WITHOUT_STREAM}, 0 FROM handed
     )
     SELECT id, event_id AS "eventId", type, key, trace_id AS "traceId", payload FROM handed`,
    values,
  );
  return rows;
}

async function deliverPending(tx: Tx, only?: readonly EventType[]): Promise<IncomingEvent[]> {
  const rows = await handOver(tx, ALL, [only ?? null]);
  const events = rows.toSorted((a, b) => a.id - b.id).map(parse);
  for (let at = 0; at < events.length; ) {
    const type = events[at]?.type;
    const end = events.findIndex((event, index) => index > at && event.type !== type);
    const set = events.slice(at, end === -1 ? undefined : end);
    await dispatch(tx, set);
    at += set.length;
  }
  return events;
}

function parse({ eventId, type, key, traceId, payload }: Row): IncomingEvent {
  if (!isEventType(type)) throw new Error(`unknown event ${type}`);
  const occurredAt = new Date().toISOString();
  return {
    id: eventId,
    type,
    key,
    traceId,
    occurredAt,
    payload: EVENT_SCHEMAS[type].parse(payload),
  } as IncomingEvent;
}

/** Each function takes what concerns it. */
async function dispatch(tx: Tx, events: readonly IncomingEvent[]): Promise<void> {
  const reserves = events.flatMap((event) =>
    event.type === 'INVENTORY_RESERVE_DB' ? [{ ...event.payload, traceId: event.traceId }] : [],
  );
  const confirms = events.flatMap((event) => {
    if (event.type !== 'INVENTORY_CONFIRM') return [];
    const { tradeId, shopOrderId, lines } = event.payload;
    return [
      {
        tradeId,
        shopOrderId,
        reservationIds: lines.map((line) => line.reservationId),
        traceId: event.traceId,
      },
    ];
  });
  const releases = events.flatMap((event) =>
    event.type === 'INVENTORY_RELEASE' ? [{ ...event.payload, traceId: event.traceId }] : [],
  );
  if (reserves.length > 0) await recordReservations(tx, reserves);
  if (confirms.length > 0) await confirmTrades(tx, confirms);
  if (releases.length > 0) await releaseReservations(tx, releases);
  await applyInventoryEvents(tx, events);
  await applyTradeEvents(tx, events);
  await useCoupons(tx, events);
  await applyPromotionEvents(tx, events);
}
