/**
 * RESERVE: writes the rows of admitted orders and raises `reserved_quantity` (P5, P6). Also called before a payment
 * starts (P26). Rows are inserted first, sorted by id, then the stock rows are locked and judged, so that the lock
 * order of P12 holds and no savepoint is needed: what is refused moves on to RELEASED in the same transaction.
 */
import type { ReservedLine } from '../domain/index.ts';
import { append, type NewEvent } from '../outbox/index.ts';
import type { Sql } from '../platform/index.ts';
import { groupBy, type HeldRow, lineOf } from './held-row.ts';
import { type Candidate, judgeReservations, type Verdict } from './judge-reservations.ts';
import { refuseOrders } from './refuse-orders.ts';
import { changeStock } from './sql/change-stock.ts';
import { findEndedSiblings } from './sql/find-ended-siblings.ts';
import { insertReservations } from './sql/insert-reservations.ts';
import { lockStock } from './sql/lock-rows.ts';
import { RESERVE, sumBySku } from './sum-by-sku.ts';
import { refuseUnknownOrders } from './unknown-order.ts';

export interface ReserveOrder {
  readonly tradeId: string;
  readonly shopOrderId: string;
  readonly lines: readonly ReservedLine[];
  readonly payUntil: string;
  readonly traceId: string;
}
export interface ReserveOutcome {
  readonly shopOrderId: string;
  /** `already`: its rows are there, or the ids are not the present attempt; nothing was changed. */
  readonly outcome: 'reserved' | 'rejected' | 'already';
  /** SKUs that the ledger does not have, when rejected. */
  readonly short?: readonly string[];
}

/** One outcome for each order given, in that order. @throws UnknownOrder when one names an order that does not exist */
export async function recordReservations(tx: Sql, orders: readonly ReserveOrder[]): Promise<ReserveOutcome[]> {
  const wanted = orders.flatMap((o) =>
    o.lines.map((l) => ({
      reservationId: l.reservationId,
      shopOrderId: o.shopOrderId,
      expireAt: o.payUntil,
      reason: null,
    })),
  );
  const inserted = groupBy(await insertReservations(tx, 'PRE_DEDUCTED', wanted), (row) => row.shopOrderId);
  await refuseUnknownOrders(
    tx,
    orders.filter((o) => !inserted.has(o.shopOrderId)),
  );

  const verdicts = await judge(tx, orders, inserted);
  const reserved = verdicts.filter((v) => v.short.length === 0).map((v) => v.candidate);
  const rejected = verdicts.filter((v) => v.short.length > 0);
  await changeStock(tx, sumBySku([{ lines: reserved.flatMap((c) => c.rows), change: RESERVE }]));
  await refuseOrders(tx, orders, rejected);
  const reservedIds = new Set(reserved.map((c) => c.shopOrderId));
  const first = firstOf(orders);
  await append(
    tx,
    [...first.values()]
      .filter((o) => reservedIds.has(o.shopOrderId))
      .map((o) => reservedEvent(o, inserted.get(o.shopOrderId) ?? [])),
  );

  const short = new Map(rejected.map((v) => [v.candidate.shopOrderId, v.short]));
  return orders.map((order) => {
    const { shopOrderId } = order;
    const lacking = short.get(shopOrderId);
    if (!inserted.has(shopOrderId) || first.get(shopOrderId) !== order) return { shopOrderId, outcome: 'already' };
    return lacking ? { shopOrderId, outcome: 'rejected', short: lacking } : { shopOrderId, outcome: 'reserved' };
  });
}

async function judge(tx: Sql, orders: readonly ReserveOrder[], inserted: Map<string, HeldRow[]>): Promise<Verdict[]> {
  if (inserted.size === 0) return [];
  const partial = [...firstOf(orders).values()].filter(
    (o) => o.lines.length > (inserted.get(o.shopOrderId)?.length ?? o.lines.length),
  );
  const ended = await findEndedSiblings(
    tx,
    partial.map((o) => o.shopOrderId),
  );
  const candidates: Candidate[] = [...firstOf(orders).keys()].flatMap((shopOrderId) => {
    const rows = inserted.get(shopOrderId);
    return rows ? [{ shopOrderId, rows, ended: ended.get(shopOrderId) ?? [] }] : [];
  });
  const rows = candidates.flatMap((c) => c.rows);
  return judgeReservations(candidates, await lockStock(tx, sumBySku([{ lines: rows, change: RESERVE }])));
}

/** A shop order that is twice in a batch is decided by its first event. */
function firstOf(orders: readonly ReserveOrder[]): Map<string, ReserveOrder> {
  const first = new Map<string, ReserveOrder>();
  for (const order of orders) if (!first.has(order.shopOrderId)) first.set(order.shopOrderId, order);
  return first;
}

function reservedEvent({ tradeId, shopOrderId, payUntil, traceId }: ReserveOrder, rows: readonly HeldRow[]): NewEvent {
  return {
    type: 'INVENTORY_RESERVED',
    key: shopOrderId,
    traceId,
    payload: { tradeId, shopOrderId, payUntil, lines: rows.map(lineOf) },
  };
}
