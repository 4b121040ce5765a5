/**
 * Has this buyer's key made an order already? Asked before any refusal is given (the order stands whatever has
 * changed since: C13, C17), and after an unknown outcome.
 */
import { type Failure, refuse } from '../domain/index.ts';
import type { Hold } from '../gate/index.ts';
import { inTransaction, type Pool, type Sql } from '../platform/index.ts';
import type { Placed } from './attempt-memory.ts';

export interface KnownOrder {
  readonly tradeId: string;
  readonly fingerprint: string;
  readonly payUntil: Date;
  readonly totalMinor: number;
  readonly currency: string;
}

const BY_KEY = `SELECT id AS "tradeId", fingerprint, pay_until AS "payUntil", total_minor AS "totalMinor", currency
  FROM tinystore_order.trade WHERE buyer_id = $1 AND idempotency_key = $2`;

export async function findByKey(sql: Sql, buyerId: string, key: string): Promise<KnownOrder | undefined> {
  const { rows } = await sql.query<KnownOrder>(BY_KEY, [buyerId, key]);
  return rows[0];
}

/**
 * Settles the fate of ids whose commit may still be under way (P15, P22). Under the lock that the commit takes too,
 * either the order is there, or its ids are abandoned for ever: a commit that comes later is refused.
 */
export async function findOrAbandon(
  pool: Pool,
  buyerId: string,
  key: string,
  holds: readonly Hold[],
): Promise<KnownOrder | undefined> {
  return inTransaction(pool, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(1, tinystore_order.lock_idempotency_key($1, $2))', [buyerId, key]);
    const known = await findByKey(tx, buyerId, key);
    if (!known && holds.length > 0)
      await tx.query(
        `INSERT INTO tinystore_inventory.abandoned_hold (reservation_id, shop_id, sku_id, quantity, cause)
         SELECT *, 'OWN_RETRY' FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) ON CONFLICT DO NOTHING`,
        [
          holds.map((h) => h.reservationId),
          holds.map((h) => h.shopId),
          holds.map((h) => h.skuId),
          holds.map((h) => h.quantity),
        ],
      );
    return known;
  });
}

export function answerKnown(known: KnownOrder, fingerprint: string): Placed | Failure {
  if (known.fingerprint !== fingerprint) return mismatch();
  return {
    kind: 'placed',
    tradeId: known.tradeId,
    payUntil: known.payUntil.toISOString(),
    totalMinor: known.totalMinor,
    currency: known.currency,
    repeated: true,
  };
}

export function mismatch(): Failure {
  return refuse('IDEMPOTENCY_MISMATCH', 'This key was used for another order.', { field: 'key' });
}
