/** Effects of SKUs in mode DATABASE are done without Redis (P18), also while it is away. */
import type { Pool } from '../../platform/index.ts';

const A_CALL = 5000;
const MAX_CALLS = 200;

export async function markWithoutGate(pool: Pool): Promise<void> {
  for (let call = 0; call < MAX_CALLS; call++) {
    const { rows } = await pool.query<{ marked: number }>(
      'SELECT tinystore_inventory.mark_without_gate($1) AS marked',
      [A_CALL],
    );
    if ((rows[0]?.marked ?? 0) < A_CALL) return;
  }
}
