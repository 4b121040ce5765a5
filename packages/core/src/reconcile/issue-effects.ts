/** Puts the missing gate effects of final rows back (P37): the same row once more, or a new one when it is gone. */
import { classifyDatabaseError, type Pool } from '../platform/index.ts';

export interface MissingEffects {
  readonly shopId: string;
  readonly skuId: string;
  readonly reservationIds: readonly string[];
  readonly runId: string;
  readonly actor: string;
  readonly cause: string;
  readonly before: unknown;
  readonly epoch: number;
  readonly generation: number;
  readonly version: number;
  readonly unexplained: number;
}

/** How many are pending now; `busy` when another process marked the same rows and nothing happened. */
export async function issueEffects(pool: Pool, missing: MissingEffects): Promise<number | 'busy'> {
  try {
    const { rows } = await pool.query<{ issued: number }>(
      'SELECT tinystore_inventory.issue_effects_again($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS issued',
      [
        missing.shopId,
        missing.skuId,
        missing.reservationIds,
        missing.runId,
        missing.actor,
        missing.cause,
        JSON.stringify(missing.before),
        missing.epoch,
        missing.generation,
        missing.version,
        missing.unexplained,
      ],
    );
    return rows[0]?.issued ?? 0;
  } catch (error) {
    if (classifyDatabaseError(error) === 'repeat') return 'busy';
    throw error;
  }
}
