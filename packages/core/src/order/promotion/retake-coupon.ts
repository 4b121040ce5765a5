/**
 * A revived order keeps its price only with its coupon's use (P28): one that was given back when the order closed is
 * taken again, as far as the limit allows. Else a buyer who pays late could use one coupon over and over.
 */
import type { Tx } from '../../platform/index.ts';

/**
 * False when the use is not to be had: used up, never granted, or given back to the promotion stage, which alone could
 * grant it again. The caller holds the trade and the stock (P12) and writes nothing then.
 */
export async function retakeCoupon(tx: Tx, tradeId: string): Promise<boolean> {
  const { rows } = await tx.query<{ code: string; status: string; remote: boolean }>(
    `SELECT coupon_code AS code, status, remote FROM tinystore_order.promotion_lock WHERE trade_id = $1 FOR UPDATE`,
    [tradeId],
  );
  const [lock] = rows;
  if (!lock || lock.status === 'LOCKED') return true;
  if (lock.status !== 'RELEASED' || lock.remote) return false;
  const { rowCount } = await tx.query(
    'UPDATE tinystore_order.coupon SET used = used + 1 WHERE code = $1 AND used < usage_limit',
    [lock.code],
  );
  if (rowCount !== 1) return false;
  await tx.query(
    `UPDATE tinystore_order.promotion_lock SET status = 'LOCKED', updated_at = ops.clock_now()
     WHERE trade_id = $1 AND status = 'RELEASED'`,
    [tradeId],
  );
  return true;
}
