/**
 * Loads one SKU of the gate anew from the ledger (P20, P37). Safe at any time and for any cause: takes answered
 * under the old generation are refused at commit and repeated. One autocommitted call under the exclusive lock.
 */
import { mint } from '../domain/index.ts';
import { classifyDatabaseError, type Pool } from '../platform/index.ts';

export interface Reinstall {
  readonly shopId: string;
  readonly skuId: string;
  /** The generation that was judged; another one means that somebody else was faster. */
  readonly generation: number;
  /** What the gate's key has, when that may be ahead of the ledger. */
  readonly gateGeneration?: number;
  readonly actor: string;
  readonly cause: string;
  readonly runId?: string;
  readonly before?: unknown;
  readonly epoch?: number;
  readonly version?: number;
  readonly unexplained?: number;
}

/** `reinstalling`: the gatekeeper has an INSTALL effect now. `busy`: the lock was not free within 500 ms; nothing happened. */
export type ReinstallOutcome =
  | { readonly kind: 'reinstalling'; readonly generation: number }
  | { readonly kind: 'moved' }
  | { readonly kind: 'busy' };

export async function reinstallSku(pool: Pool, command: Reinstall): Promise<ReinstallOutcome> {
  try {
    const { rows } = await pool.query<{ generation: number | null }>(
      'SELECT tinystore_inventory.reinstall_sku($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS generation',
      [
        command.shopId,
        command.skuId,
        command.generation,
        command.gateGeneration ?? null,
        command.runId ?? mint(),
        command.actor,
        command.cause,
        JSON.stringify(command.before ?? { generation: command.generation }),
        command.epoch ?? null,
        command.version ?? null,
        command.unexplained ?? 0,
      ],
    );
    const generation = rows[0]?.generation ?? null;
    return generation === null ? { kind: 'moved' } : { kind: 'reinstalling', generation };
  } catch (error) {
    if (classifyDatabaseError(error) === 'repeat') return { kind: 'busy' };
    throw error;
  }
}
