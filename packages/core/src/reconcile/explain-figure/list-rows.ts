/** The rows behind a row of an explanation, newest first, page by page. */
import type { SkuRef } from '../../gate/index.ts';
import type { Sql } from '../../platform/index.ts';
import type { MovementKind } from './sum-movements.ts';
import { ON_ITS_WAY, POSSIBLY_OPEN } from './sum-reservations.ts';

export const ROW_LISTS = [
  'received',
  'restocked',
  'sold',
  'writtenOff',
  'reserved',
  'onItsWay',
  'pendingEffects',
] as const;
export type RowList = (typeof ROW_LISTS)[number];

export interface ListQuestion extends SkuRef {
  readonly list: RowList;
  readonly at?: Date;
  /** Goes on after the row with this id. */
  readonly after?: string;
  readonly limit: number;
}

export interface BookRow {
  readonly id: string;
  readonly units: number;
  readonly at: Date;
  readonly what: string;
  readonly by: string | null;
  readonly reason: string | null;
  readonly reservationId: string | null;
  readonly tradeId: string | null;
}

export interface BookRowPage {
  readonly rows: readonly BookRow[];
  /** The cursor of the next page. */
  readonly next: string | null;
}

const KIND_OF: Partial<Record<RowList, MovementKind>> = {
  received: 'RECEIPT',
  restocked: 'RESTOCK',
  sold: 'CONFIRM',
  writtenOff: 'SHRINK',
};
const MAX_ROWS = 200;

export async function listFigureRows(sql: Sql, question: ListQuestion): Promise<BookRowPage> {
  const limit = Math.min(question.limit, MAX_ROWS);
  const rows = await readRows(sql, question, limit + 1);
  return { rows: rows.slice(0, limit), next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null };
}

async function readRows(sql: Sql, { shopId, skuId, list, at, after }: ListQuestion, limit: number): Promise<BookRow[]> {
  const kind = KIND_OF[list];
  const there = [shopId, skuId, at ?? 'infinity', after ?? null, limit];
  if (kind) return (await sql.query<BookRow>(MOVEMENTS, [...there, kind])).rows;
  if (list === 'pendingEffects') return (await sql.query<BookRow>(PENDING_EFFECTS, there)).rows;
  return (await sql.query<BookRow>(reservationsOf(list), there)).rows;
}

const MOVEMENTS = `
  SELECT m.id::text, m.quantity AS units, m.at, coalesce(o.kind, m.kind) AS what, m.actor AS by, o.reason,
    m.reservation_id AS "reservationId", r.trade_id AS "tradeId"
  FROM tinystore_inventory.stock_movement m
  LEFT JOIN tinystore_inventory.stock_operation o ON o.id = m.operation_id
  LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = m.reservation_id
  WHERE m.shop_id = $1 AND m.sku_id = $2 AND m.at <= $3 AND ($4::bigint IS NULL OR m.id < $4) AND m.kind = $6
  ORDER BY m.id DESC LIMIT $5`;

const PENDING_EFFECTS = `
  SELECT e.id::text, coalesce(e.quantity, 0) AS units, e.created_at AS at, e.kind AS what, NULL AS by, NULL AS reason,
    e.reservation_id AS "reservationId", r.trade_id AS "tradeId"
  FROM tinystore_inventory.gate_effect e
  LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = e.reservation_id
  WHERE e.status = 'PENDING' AND e.shop_id = $1 AND e.sku_id = $2 AND e.created_at <= $3 AND ($4::bigint IS NULL OR e.id < $4)
  ORDER BY e.id DESC LIMIT $5`;

function reservationsOf(list: RowList): string {
  const from =
    list === 'onItsWay' ? `(${ON_ITS_WAY})` : `(SELECT * FROM (${POSSIBLY_OPEN}) p WHERE p.recorded_at <= $3)`;
  const what = list === 'onItsWay' ? 'ORDERED' : 'RESERVED';
  return `
    SELECT o.reservation_id::text AS id, o.quantity AS units, o.held_at AS at, '${what}' AS what, NULL AS by, NULL AS reason,
      o.reservation_id AS "reservationId", o.trade_id AS "tradeId"
    FROM ${from} o WHERE $4::uuid IS NULL OR o.reservation_id < $4 ORDER BY o.reservation_id DESC LIMIT $5`;
}
