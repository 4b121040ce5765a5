/**
 * The fence of a revive (P11), judged after the shared lock was granted: the epoch that the takes answered is open,
 * each generation is still the one they answered, each SKU is in the mode its line was intended for, and no id was
 * abandoned.
 */
import type { Tx } from '../../../platform/index.ts';
import type { IntendedLine } from './intend-holds.ts';
import type { TakenUnits } from './take-intended.ts';

export async function passesFence(
  tx: Tx,
  lines: readonly IntendedLine[],
  { epoch, generations }: Extract<TakenUnits, { kind: 'taken' }>,
): Promise<boolean> {
  const { rows } = await tx.query<{ fits: boolean }>(
    `SELECT coalesce(bool_and(coalesce(s.gate_mode = l.mode
          AND (l.mode = 'DATABASE' OR (s.generation = l.generation AND $6::bigint IS NOT NULL)), false)
          AND NOT EXISTS (SELECT FROM tinystore_inventory.abandoned_hold a WHERE a.reservation_id = l.id)), false)
        AND ($6::bigint IS NULL OR EXISTS (SELECT FROM tinystore_inventory.gate_epoch g WHERE g.open AND g.epoch = $6)) AS fits
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[]) AS l(id, shop_id, sku_id, mode, generation)
     LEFT JOIN tinystore_inventory.inventory_stock s ON s.shop_id = l.shop_id AND s.sku_id = l.sku_id`,
    [
      lines.map((line) => line.reservationId),
      lines.map((line) => line.shopId),
      lines.map((line) => line.skuId),
      lines.map((line) => line.gateMode),
      lines.map((line) => generations.get(line.reservationId) ?? null),
      epoch,
    ],
  );
  return rows[0]?.fits ?? false;
}
