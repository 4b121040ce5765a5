/**
 * A shop order that the ledger has no units for (P6): its new rows become RELEASED, rows it had before are released
 * too, each gives its units back at the gate, and its buyer's order is told. Happens before any money (P26).
 */
import { openIncident } from '../ops/index.ts';
import { append } from '../outbox/index.ts';
import type { Sql } from '../platform/index.ts';
import { groupBy, type HeldRow, lineOf } from './held-row.ts';
import type { Verdict } from './judge-reservations.ts';
import type { ReserveOrder } from './record-reservations.ts';
import { changeStock } from './sql/change-stock.ts';
import { endReservations } from './sql/end-reservations.ts';
import { insertEffects } from './sql/insert-effects.ts';
import { lockReservations, lockStock } from './sql/lock-rows.ts';
import { readHoldsOfShopOrders } from './sql/read-current-holds.ts';
import { RELEASE, sumBySku } from './sum-by-sku.ts';

const REASON = 'OVER_ADMITTED';

export async function refuseOrders(
  tx: Sql,
  orders: readonly ReserveOrder[],
  rejected: readonly Verdict[],
): Promise<void> {
  if (rejected.length === 0) return;
  const fresh = rejected.flatMap((v) => v.candidate.rows);
  const earlier = await findEarlierRows(tx, rejected, fresh);
  const ended = [...fresh, ...earlier];
  await endReservations(
    tx,
    ended.map((r) => r.reservationId),
    'RELEASED',
    REASON,
  );
  // The new rows were never added to the stock rows, so only the earlier ones are taken back.
  await lockStock(tx, earlier);
  await changeStock(tx, sumBySku([{ lines: earlier, change: RELEASE }]));
  await insertEffects(tx, 'GIVE_BACK', ended);

  const rowsOf = groupBy(ended, (row) => row.shopOrderId);
  for (const {
    candidate: { shopOrderId, ended: before },
    short,
  } of rejected) {
    const order = orders.find((o) => o.shopOrderId === shopOrderId);
    const rows = rowsOf.get(shopOrderId) ?? [];
    if (!order) continue;
    const { tradeId, traceId } = order;
    await append(tx, [
      {
        type: 'INVENTORY_RESERVE_REJECTED',
        key: shopOrderId,
        traceId,
        payload: { tradeId, shopOrderId, short: [...short], lines: rows.map(lineOf) },
      },
    ]);
    // Lines that had ended before refuse the rest of a closed order too: nobody was promised too much.
    if (short.every((skuId) => before.includes(skuId))) continue;
    await openIncident(tx, {
      kind: 'OVER_ADMITTED',
      subject: shopOrderId,
      detail: { tradeId, shopOrderId, short, lines: rows.map(lineOf) },
    });
  }
}

/** Lines of the refused orders that were recorded earlier and still hold units. */
async function findEarlierRows(tx: Sql, rejected: readonly Verdict[], fresh: readonly HeldRow[]): Promise<HeldRow[]> {
  const known = new Set(fresh.map((row) => row.reservationId));
  const others = (
    await readHoldsOfShopOrders(
      tx,
      rejected.map((v) => v.candidate.shopOrderId),
    )
  ).filter((row) => !known.has(row.reservationId));
  if (others.length === 0) return [];
  const status = await lockReservations(
    tx,
    others.map((row) => row.reservationId),
  );
  return others.filter((row) => status.get(row.reservationId) === 'PRE_DEDUCTED');
}
