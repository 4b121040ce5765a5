/**
 * RELEASE: ends the rows it names (design section 8). A row that is not there yet gets its tombstone, so that a
 * RESERVE that comes later finds it ended. Units already sold are never released: that is refused and shown to a
 * person. Every row that ends here gives its units back at the gate exactly once (P6).
 */
import type { ReservationStatus, ReservedLine } from '../domain/index.ts';
import { openIncident } from '../ops/index.ts';
import { append } from '../outbox/index.ts';
import type { Sql } from '../platform/index.ts';
import { groupBy, type HeldRow, lineOf } from './held-row.ts';
import { changeStock } from './sql/change-stock.ts';
import { endReservations } from './sql/end-reservations.ts';
import { insertEffects } from './sql/insert-effects.ts';
import { insertReservations } from './sql/insert-reservations.ts';
import { lockReservations, lockStock, lockTrades } from './sql/lock-rows.ts';
import { readHoldsOfShopOrders } from './sql/read-current-holds.ts';
import { RELEASE, sumBySku } from './sum-by-sku.ts';
import { refuseUnknownOrders } from './unknown-order.ts';

export interface ReleaseOrder {
  readonly tradeId: string;
  readonly shopOrderId: string;
  readonly lines: readonly ReservedLine[];
  readonly reason: string;
  readonly traceId: string;
}

/**
 * Appends one INVENTORY_RELEASED for each order whose named units have all ended, also when they had before.
 * @throws UnknownOrder when one names an order that does not exist
 */
export async function releaseReservations(tx: Sql, orders: readonly ReleaseOrder[]): Promise<void> {
  await lockTrades(tx, [...new Set(orders.map((o) => o.tradeId))]);
  const holds = await readHoldsOfShopOrders(tx, [...new Set(orders.map((o) => o.shopOrderId))]);
  const known = new Set(holds.map((h) => h.shopOrderId));
  await refuseUnknownOrders(
    tx,
    orders.filter((o) => !known.has(o.shopOrderId)),
  );
  const current = new Map(holds.map((h) => [h.reservationId, h]));
  const named = orders.map((order) => ({ order, rows: rowsNamed(order, current) }));

  const wanted = named.flatMap(({ order, rows }) =>
    rows.map((r) => ({
      reservationId: r.reservationId,
      shopOrderId: r.shopOrderId,
      expireAt: null,
      reason: order.reason,
    })),
  );
  const tombstones = await insertReservations(tx, 'RELEASED', wanted);
  const statusOf = await lockReservations(
    tx,
    wanted.map((w) => w.reservationId),
  );
  const open = named.map(({ order, rows }) => ({ order, rows: takeOpen(rows, statusOf) }));
  const released = open.flatMap(({ rows }) => rows);
  for (const [reason, group] of groupBy(open, ({ order }) => order.reason))
    await endReservations(
      tx,
      group.flatMap(({ rows }) => rows.map((r) => r.reservationId)),
      'RELEASED',
      reason,
    );
  const changes = sumBySku([{ lines: released, change: RELEASE }]);
  if (changes.length > 0) await lockStock(tx, changes);
  await changeStock(tx, changes);
  await insertEffects(tx, 'GIVE_BACK', [...tombstones, ...released]);
  await answer(tx, named, statusOf);
}

async function answer(
  tx: Sql,
  named: readonly { order: ReleaseOrder; rows: readonly HeldRow[] }[],
  statusOf: ReadonlyMap<string, string>,
): Promise<void> {
  const sold = named.filter(({ rows }) => rows.some((r) => statusOf.get(r.reservationId) === 'CONFIRMED'));
  const ended = named.filter((n) => n.rows.length > 0 && !sold.includes(n));
  await append(
    tx,
    ended.map(({ order: { tradeId, shopOrderId, traceId }, rows }) => ({
      type: 'INVENTORY_RELEASED',
      key: shopOrderId,
      traceId,
      payload: { tradeId, shopOrderId, lines: rows.map(lineOf) },
    })),
  );
  for (const {
    order: { tradeId, shopOrderId, reason },
    rows,
  } of sold)
    await openIncident(tx, {
      kind: 'RELEASE_OF_CONFIRMED',
      subject: shopOrderId,
      detail: {
        tradeId,
        shopOrderId,
        reason,
        lines: rows.map((r) => ({ ...lineOf(r), found: statusOf.get(r.reservationId) ?? null })),
      },
    });
}

/** Ids that are not the shop order's present attempt are left out: they change nothing. */
function rowsNamed({ shopOrderId, lines }: ReleaseOrder, current: ReadonlyMap<string, HeldRow>): HeldRow[] {
  return lines.flatMap((line) => {
    const hold = current.get(line.reservationId);
    return hold?.shopOrderId === shopOrderId ? [hold] : [];
  });
}

/** Rows still PRE_DEDUCTED, each once, even when two events of the batch name it. */
function takeOpen(rows: readonly HeldRow[], statusOf: Map<string, ReservationStatus>): HeldRow[] {
  return rows.filter((row) => {
    if (statusOf.get(row.reservationId) !== 'PRE_DEDUCTED') return false;
    statusOf.set(row.reservationId, 'RELEASED');
    return true;
  });
}
