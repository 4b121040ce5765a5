/**
 * Carries out what was decided about lines: units return (and go back on sale, if so chosen), and one refund a shop
 * order is written down for their money (P29, P31). The caller holds trade, shop orders and lines (P12).
 */
import { type Failure, mint } from '../../domain/index.ts';
import { type Restock, restockUnits } from '../../ledger/index.ts';
import type { Tx } from '../../platform/index.ts';
import type { RefundPart } from './decide-refund.ts';
import { findPayment } from './find-payment.ts';
import { refundInFull } from './refund-in-full.ts';
import { requestRefund } from './request-refund.ts';

export interface TakeBack {
  readonly tradeId: string;
  readonly parts: readonly RefundPart[];
  readonly actor: string;
  readonly reason: string;
  /** Names the decision; a refund's own key adds the shop order. */
  readonly key: string;
  /** Rows of returns that the buyer had asked for, by line; without one a row is made. */
  readonly requested?: ReadonlyMap<RefundPart, string>;
}
export interface TakenBack {
  readonly kind: 'refunded';
  readonly refunds: { refundId: string; shopOrderId: string; amountMinor: number }[];
  readonly returned: { returnItemId: string; shopOrderId: string; skuId: string; quantity: number }[];
}

export async function takeBack(tx: Tx, work: TakeBack): Promise<TakenBack | Failure> {
  const items = work.parts
    .filter((part) => part.quantity > 0)
    .map((part) => ({ part, id: work.requested?.get(part) ?? mint<'ReturnItemId'>() }));
  const restocked = items
    .filter(({ part }) => part.units === 'RESTOCK')
    .map(({ part: { line, quantity }, id }): Restock => {
      return { operationId: id, shopId: line.shopId, skuId: line.skuId, quantity, actor: work.actor };
    });
  // First, because it alone can still refuse.
  const refusal = await restockUnits(tx, restocked);
  if (refusal) return refusal;
  await changeLines(tx, work.parts);
  const refunds = await refundEachShopOrder(tx, work);
  const refundOf = new Map(refunds.map(({ shopOrderId, refundId }) => [shopOrderId, refundId]));
  for (const { part, id } of items)
    await receiveItem(tx, work, part, {
      id,
      refundId: part.amountMinor > 0 ? refundOf.get(part.line.shopOrderId) : undefined,
    });
  await refundInFull(
    tx,
    work.tradeId,
    items.map(({ part }) => part.line.shopOrderId).filter((shopOrderId) => !refundOf.has(shopOrderId)),
  );
  return {
    kind: 'refunded',
    refunds,
    returned: items.map(({ part: { line, quantity }, id }) => {
      return { returnItemId: id, shopOrderId: line.shopOrderId, skuId: line.skuId, quantity };
    }),
  };
}

/** The CHECKs of the line stand behind this: restocked <= returned <= sold, refunded <= paid. */
async function changeLines(tx: Tx, parts: readonly RefundPart[]): Promise<void> {
  const { rowCount } = await tx.query(
    `UPDATE tinystore_order.order_line l
     SET returned_quantity = l.returned_quantity + c.returned, restocked_quantity = l.restocked_quantity + c.restocked,
         refunded_minor = l.refunded_minor + c.refunded
     FROM unnest($1::uuid[], $2::text[], $3::integer[], $4::integer[], $5::bigint[])
       AS c(shop_order_id, sku_id, returned, restocked, refunded)
     WHERE l.shop_order_id = c.shop_order_id AND l.sku_id = c.sku_id`,
    [
      parts.map((part) => part.line.shopOrderId),
      parts.map((part) => part.line.skuId),
      parts.map((part) => part.quantity),
      parts.map((part) => (part.units === 'RESTOCK' ? part.quantity : 0)),
      parts.map((part) => part.amountMinor),
    ],
  );
  if (rowCount !== parts.length) throw new Error(`${rowCount} of ${parts.length} locked lines could be changed`);
}

async function refundEachShopOrder(tx: Tx, work: TakeBack): Promise<TakenBack['refunds']> {
  const { tradeId, actor, reason, key } = work;
  const paying = work.parts.filter((part) => part.amountMinor > 0);
  const refunds: TakenBack['refunds'] = [];
  for (const [shopOrderId, parts] of Map.groupBy(paying, (part) => part.line.shopOrderId)) {
    const amountMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0);
    const payment = await findPayment(tx, tradeId, amountMinor);
    const { refundId } = await requestRefund(tx, {
      ...payment,
      tradeId,
      shopOrderId,
      amountMinor,
      cause: 'CUSTOMER',
      idempotencyKey: `${key}:${shopOrderId}`,
      actor,
      reason,
    });
    await tx.query(
      `INSERT INTO tinystore_order.refund_line (refund_id, shop_order_id, sku_id, quantity, amount_minor)
       SELECT $1, $2, * FROM unnest($3::text[], $4::integer[], $5::bigint[])`,
      [
        refundId,
        shopOrderId,
        parts.map((part) => part.line.skuId),
        parts.map((part) => part.quantity),
        parts.map((part) => part.amountMinor),
      ],
    );
    refunds.push({ refundId, shopOrderId, amountMinor });
  }
  return refunds;
}

/** Units without money of their own were paid back before: their return is done at once. */
async function receiveItem(
  tx: Tx,
  work: TakeBack,
  part: RefundPart,
  { id, refundId }: { readonly id: string; readonly refundId: string | undefined },
): Promise<void> {
  const { rowCount } = await tx.query(
    `INSERT INTO tinystore_order.return_item AS r
       (id, trade_id, shop_order_id, sku_id, quantity, status, units, refund_id, reason, asked_by, answered_by)
     VALUES ($1, $2, $3, $4, $5, 'RECEIVED', $6, $7, $8, $9, $9)
     ON CONFLICT (id) DO UPDATE SET status = 'RECEIVED', units = excluded.units, refund_id = excluded.refund_id,
       answer = excluded.reason, answered_by = excluded.answered_by, updated_at = ops.clock_now()
     WHERE r.status = 'REQUESTED' AND r.quantity = excluded.quantity`,
    [
      id,
      work.tradeId,
      part.line.shopOrderId,
      part.line.skuId,
      part.quantity,
      part.units,
      refundId ?? null,
      work.reason,
      work.actor,
    ],
  );
  if (rowCount !== 1) throw new Error(`return ${id} could not be received`);
  if (refundId === undefined)
    await tx.query(
      `UPDATE tinystore_order.return_item SET status = 'REFUNDED', updated_at = ops.clock_now()
       WHERE id = $1 AND status = 'RECEIVED'`,
      [id],
    );
}
