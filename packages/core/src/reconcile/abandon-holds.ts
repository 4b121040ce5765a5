/**
 * Writes abandonment rows under the exclusive lock (P17): the proof, for ever, that no order will name a hold.
 * One autocommitted call; every order commit waits meanwhile, so it is kept to a few milliseconds.
 */
import type { Hold } from '../gate/index.ts';
import { classifyDatabaseError, type Pool } from '../platform/index.ts';

/** Returns the ids that are abandoned now; `busy` when the lock was not free within 500 ms and nothing happened. */
export async function abandonHolds(pool: Pool, holds: readonly Hold[]): Promise<ReadonlySet<string> | 'busy'> {
  try {
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM tinystore_inventory.abandon_holds($1, $2, $3, $4) AS id',
      [
        holds.map((hold) => hold.reservationId),
        holds.map((hold) => hold.shopId),
        holds.map((hold) => hold.skuId),
        holds.map((hold) => hold.quantity),
      ],
    );
    return new Set(rows.map((row) => row.id));
  } catch (error) {
    if (classifyDatabaseError(error) === 'repeat') return 'busy';
    throw error;
  }
}
