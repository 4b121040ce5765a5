/** Looks up what orders and ledger know of old holds found at the gate, and judges each one. */
import type { Hold } from '../gate/index.ts';
import type { Sql } from '../platform/index.ts';
import type { GateHold } from './facts.ts';
import { judgeOldHold, type OldHoldFacts, type OldHoldVerdict } from './judge-old-hold.ts';

export interface OldHold extends Hold, GateHold {
  readonly verdict: OldHoldVerdict;
  readonly tradeId: string | null;
  readonly shopOrderId: string | null;
  /** Units the order line names; the member at the gate has its own. */
  readonly lineQuantity: number | null;
}

export interface SweepAges {
  readonly proofAgeMs: number;
  /** P17: unproven for this long is an incident. */
  readonly incidentAgeMs: number;
}

export async function judgeOldHolds(
  sql: Sql,
  holds: readonly (Hold & GateHold)[],
  ages: SweepAges,
): Promise<OldHold[]> {
  const { rows } = await sql.query<
    OldHoldFacts & { ord: number } & Pick<OldHold, 'tradeId' | 'shopOrderId' | 'lineQuantity'>
  >(
    `SELECT u.ord, r.status, h.state AS "lineState", a.reservation_id IS NOT NULL AS abandoned,
       EXISTS (SELECT FROM tinystore_inventory.gate_effect e WHERE e.reservation_id = u.id AND e.status = 'PENDING') AS "effectPending",
       t.status AS "tradeStatus", h.trade_id AS "tradeId", h.shop_order_id AS "shopOrderId", h.quantity AS "lineQuantity",
       coalesce(t.closed_at < ops.clock_now() - make_interval(secs => $3 / 1000.0), false) AS "closedLongAgo",
       u.taken_ms < extract(epoch FROM ops.clock_now()) * 1000 - $4 AS "veryOld"
     FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY AS u(id, taken_ms, ord)
     LEFT JOIN tinystore_inventory.inventory_reservation r ON r.reservation_id = u.id
     LEFT JOIN tinystore_order.order_line_hold h ON h.reservation_id = u.id
     LEFT JOIN tinystore_order.trade t ON t.id = h.trade_id
     LEFT JOIN tinystore_inventory.abandoned_hold a ON a.reservation_id = u.id`,
    [holds.map((hold) => hold.reservationId), holds.map((hold) => hold.takenAtMs), ages.proofAgeMs, ages.incidentAgeMs],
  );
  return rows.flatMap(({ ord, tradeId, shopOrderId, lineQuantity, ...facts }) => {
    const hold = holds[ord - 1];
    return hold ? [{ ...hold, tradeId, shopOrderId, lineQuantity, verdict: judgeOldHold(facts) }] : [];
  });
}
