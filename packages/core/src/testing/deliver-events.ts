/**
 * Hands every pending outbox event to ledger and order, in id order, one transaction each, until nothing is
 * pending: what relay, topics and consumers do, without the stream. For tests that are not about the stream.
 */
import { EVENT_SCHEMAS, type EventType, type IncomingEvent, isEventType } from '../domain/index.ts';
import { confirmTrades, recordReservations, releaseReservations } from '../ledger/index.ts';
import { applyInventoryEvents } from '../order/apply-inventory-events.ts';
import { applyTradeEvents } from '../order/apply-trade-events.ts';
import { inTransaction, type Pool, type Tx } from '../platform/index.ts';

const MOST_EVENTS = 10_000;

/** Returns the types delivered, in order. With `only`, events of other types stay pending. */
export async function deliverEvents(pool: Pool, only?: readonly EventType[]): Promise<EventType[]> {
  const delivered: EventType[] = [];
  while (delivered.length < MOST_EVENTS) {
    const event = await inTransaction(pool, (tx) => deliverNext(tx, only));
    if (!event) return delivered;
    delivered.push(event.type);
  }
  throw new Error(`more than ${MOST_EVENTS} events: they feed each other`);
}

async function deliverNext(tx: Tx, only?: readonly EventType[]): Promise<IncomingEvent | undefined> {
  const {
    rows: [row],
  } = await tx.query<{ id: number; event_id: string; type: string; key: string; trace_id: string; payload: unknown }>(
    `UPDATE tinystore_order.outbox_event SET status = 'SENT', sent_at = ops.clock_now()
     WHERE id = (SELECT id FROM tinystore_order.outbox_event
                 WHERE status = 'PENDING' AND ($1::text[] IS NULL OR type = ANY($1)) ORDER BY id LIMIT 1 FOR UPDATE)
     RETURNING id, event_id, type, key, trace_id, payload`,
    [only ?? null],
  );
  if (!row) return undefined;
  const event = parse(row);
  await dispatch(tx, event);
  return event;
}

function parse(row: {
  event_id: string;
  type: string;
  key: string;
  trace_id: string;
  payload: unknown;
}): IncomingEvent {
  if (!isEventType(row.type)) throw new Error(`unknown event ${row.type}`);
  const payload = EVENT_SCHEMAS[row.type].parse(row.payload);
  return {
    id: row.event_id,
    type: row.type,
    key: row.key,
    traceId: row.trace_id,
    occurredAt: new Date().toISOString(),
    payload,
  } as IncomingEvent;
}

async function dispatch(tx: Tx, event: IncomingEvent): Promise<void> {
  const { traceId } = event;
  switch (event.type) {
    case 'INVENTORY_RESERVE_DB':
      await recordReservations(tx, [{ ...event.payload, traceId }]);
      return;
    case 'INVENTORY_CONFIRM': {
      const { tradeId, shopOrderId, lines } = event.payload;
      await confirmTrades(tx, [
        { tradeId, shopOrderId, reservationIds: lines.map((line) => line.reservationId), traceId },
      ]);
      return;
    }
    case 'INVENTORY_RELEASE':
      await releaseReservations(tx, [{ ...event.payload, traceId }]);
      return;
    default:
      await applyInventoryEvents(tx, [event]);
      await applyTradeEvents(tx, [event]);
  }
}
