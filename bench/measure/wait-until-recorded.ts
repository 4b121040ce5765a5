/** How long the stream and the ledger were behind: seconds until every order has its row and every event is sent. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@holdfast/core/platform';

const LIMIT_S = 120;

export async function waitUntilRecorded(pool: Pool): Promise<number> {
  const started = performance.now();
  for (;;) {
    const { rows } = await pool.query<{ busy: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM tinystore_order.outbox_pending WHERE status = 'PENDING')
           OR EXISTS (SELECT 1 FROM tinystore_order.shop_order WHERE status = 'RESERVING') AS busy`,
    );
    const seconds = (performance.now() - started) / 1000;
    if (!rows[0]?.busy) return seconds;
    if (seconds > LIMIT_S) throw new Error(`orders not recorded within ${LIMIT_S} s`);
    await sleep(50);
  }
}
