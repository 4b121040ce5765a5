/** Reservations for the console: filtered, newest first, paged by a cursor that new rows do not shift. */
import type { ReservationStatus } from '../../domain/index.ts';
import type { Sql } from '../../platform/index.ts';

export interface ReservationFilter {
  readonly status?: ReservationStatus;
  readonly shopId?: string;
  readonly skuId?: string;
  readonly tradeId?: string;
  /** The last id of the page before: ids are time-ordered. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface ReservationView {
  readonly reservationId: string;
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly status: ReservationStatus;
  readonly tradeId: string | null;
  readonly shopOrderId: string | null;
  readonly releaseReason: string | null;
  readonly heldAt: Date;
  readonly recordedAt: Date;
  readonly expireAt: Date | null;
  readonly confirmedAt: Date | null;
  readonly endedAt: Date | null;
}

const MAX_LIMIT = 200;

const COLUMNS = `r.reservation_id AS "reservationId", r.shop_id AS "shopId", r.sku_id AS "skuId", r.quantity, r.status, r.trade_id AS "tradeId",
  r.order_id AS "shopOrderId", r.release_reason AS "releaseReason", r.held_at AS "heldAt", r.recorded_at AS "recordedAt",
  r.expire_at AS "expireAt", r.confirmed_at AS "confirmedAt", r.ended_at AS "endedAt"`;

export async function listReservations(
  sql: Sql,
  filter: ReservationFilter,
): Promise<{ reservations: ReservationView[]; next: string | null }> {
  const limit = Math.min(filter.limit, MAX_LIMIT);
  const { rows } = await sql.query<ReservationView>(
    `SELECT ${COLUMNS} FROM tinystore_inventory.inventory_reservation r
     WHERE ($1::text IS NULL OR r.status = $1) AND ($2::text IS NULL OR r.shop_id = $2) AND ($3::text IS NULL OR r.sku_id = $3)
       AND ($4::uuid IS NULL OR r.trade_id = $4) AND ($5::uuid IS NULL OR r.reservation_id < $5)
     ORDER BY r.reservation_id DESC LIMIT $6`,
    [
      filter.status ?? null,
      filter.shopId ?? null,
      filter.skuId ?? null,
      filter.tradeId ?? null,
      filter.cursor ?? null,
      limit,
    ],
  );
  return { reservations: rows, next: rows.length === limit ? (rows.at(-1)?.reservationId ?? null) : null };
}

export interface ReservationDetail {
  readonly reservation: ReservationView | null;
  readonly line: {
    readonly shopOrderId: string;
    readonly tradeId: string;
    readonly state: string;
    readonly attempt: number;
    readonly gateMode: string;
    readonly epoch: number | null;
    readonly generation: number | null;
    readonly heldAt: Date;
  } | null;
  readonly trade: {
    readonly tradeId: string;
    readonly status: string;
    readonly closeReason: string | null;
    readonly totalMinor: number;
    readonly currency: string;
    readonly payUntil: Date;
    readonly createdAt: Date;
    readonly shopOrderStatus: string | null;
  } | null;
  readonly abandonedAt: Date | null;
  readonly effects: readonly {
    readonly id: number;
    readonly kind: string;
    readonly status: string;
    readonly quantity: number;
    readonly epoch: number | null;
    readonly createdAt: Date;
    readonly appliedAt: Date | null;
  }[];
  readonly events: readonly {
    readonly id: number;
    readonly eventId: string;
    readonly type: string;
    readonly key: string;
    readonly status: string;
    readonly occurredAt: Date;
    readonly sentAt: Date | null;
    readonly partition: number | null;
    readonly offset: number | null;
    readonly consumedBy: readonly string[];
  }[];
}

/** Everything known of one reservation: its row, its line, its trade, the events of its keys, its gate effects. Null when nothing names it. */
export async function readReservation(sql: Sql, reservationId: string): Promise<ReservationDetail | null> {
  const one = async <R extends object>(text: string) => (await sql.query<R>(text, [reservationId])).rows;
  const reservation =
    (
      await one<ReservationView>(
        `SELECT ${COLUMNS} FROM tinystore_inventory.inventory_reservation r WHERE r.reservation_id = $1`,
      )
    )[0] ?? null;
  const line =
    (
      await one<NonNullable<ReservationDetail['line']>>(
        `SELECT shop_order_id AS "shopOrderId", trade_id AS "tradeId", state, attempt, gate_mode AS "gateMode", epoch, generation, held_at AS "heldAt"
     FROM tinystore_order.order_line_hold WHERE reservation_id = $1`,
      )
    )[0] ?? null;
  const abandoned = (
    await one<{ at: Date }>(
      'SELECT abandoned_at AS at FROM tinystore_inventory.abandoned_hold WHERE reservation_id = $1',
    )
  )[0];
  if (!reservation && !line && !abandoned) return null;
  const tradeId = reservation?.tradeId ?? line?.tradeId ?? null;
  const shopOrderId = reservation?.shopOrderId ?? line?.shopOrderId ?? null;
  return {
    reservation,
    line,
    abandonedAt: abandoned?.at ?? null,
    ...(await readAround(sql, reservationId, tradeId, shopOrderId)),
  };
}

async function readAround(
  sql: Sql,
  reservationId: string,
  tradeId: string | null,
  shopOrderId: string | null,
): Promise<Pick<ReservationDetail, 'trade' | 'effects' | 'events'>> {
  const trade = await sql.query<NonNullable<ReservationDetail['trade']>>(
    `SELECT t.id AS "tradeId", t.status, t.close_reason AS "closeReason", t.total_minor AS "totalMinor", t.currency,
       t.pay_until AS "payUntil", t.created_at AS "createdAt", so.status AS "shopOrderStatus"
     FROM tinystore_order.trade t LEFT JOIN tinystore_order.shop_order so ON so.id = $2 WHERE t.id = $1`,
    [tradeId, shopOrderId],
  );
  const effects = await sql.query<ReservationDetail['effects'][number]>(
    `SELECT id, kind, status, quantity, epoch, created_at AS "createdAt", applied_at AS "appliedAt"
     FROM tinystore_inventory.gate_effect WHERE reservation_id = $1 ORDER BY id`,
    [reservationId],
  );
  const events = await sql.query<ReservationDetail['events'][number]>(
    `SELECT o.id, o.event_id AS "eventId", o.type, o.key, o.status, o.occurred_at AS "occurredAt", o.sent_at AS "sentAt", o.partition, o."offset",
       ARRAY(SELECT i.consumer FROM tinystore_inventory.inbox_event i WHERE i.event_id = o.event_id ORDER BY 1) AS "consumedBy"
     FROM tinystore_order.outbox o
     -- The index knows events by their time only: none is older than its trade.
     WHERE o.key = ANY ($1)
       AND o.occurred_at >= (SELECT t.created_at - interval '1 minute' FROM tinystore_order.trade t WHERE t.id = $2)
     ORDER BY o.id LIMIT 100`,
    [[tradeId, shopOrderId].filter((key) => key !== null), tradeId],
  );
  return { trade: trade.rows[0] ?? null, effects: effects.rows, events: events.rows };
}
