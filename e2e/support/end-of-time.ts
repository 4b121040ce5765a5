/** The time to pay as a lever of browser flows: one order's is over at once, instead of after minutes of waiting. */
import { createPool } from '@holdfast/core/platform';

/** Moves the deadline and its two copies (P24) together, as the product would have written them. */
export async function letTimeRunOut(tradeId: string): Promise<void> {
  const { DATABASE_URL: url } = process.env;
  if (!url) throw new Error('DATABASE_URL names the database of the product under test');
  const pool = createPool({ url, name: 'holdfast-e2e-time', max: 1 });
  try {
    const { rowCount } = await pool.query(
      `WITH ended AS (UPDATE tinystore_order.trade SET pay_until = ops.clock_now() - interval '1 second'
         WHERE id = $1 AND status = 'UNPAID' RETURNING id, pay_until),
       intent AS (UPDATE tinystore_order.payment_intent i SET expires_at = e.pay_until FROM ended e WHERE i.trade_id = e.id)
       UPDATE tinystore_inventory.inventory_reservation r SET expire_at = e.pay_until FROM ended e WHERE r.trade_id = e.id`,
      [tradeId],
    );
    if (!rowCount) throw new Error(`trade ${tradeId} holds nothing that could run out`);
  } finally {
    await pool.end();
  }
}
