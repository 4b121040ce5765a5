/**
 * The head of a failing key (P33). While its row is there, the key's messages park; whoever parks, tries again or ends
 * a letter locks it first, so that no message slips in between "nothing is parked" and "the key is open".
 */
import type { Sql } from '../platform/index.ts';

const CLOSE = `
  INSERT INTO tinystore_inventory.failing_key AS f (consumer, key)
  SELECT $1, k.key FROM unnest($2::text[]) AS k(key) WHERE k.key <> '' GROUP BY k.key ORDER BY k.key
  ON CONFLICT (consumer, key) DO UPDATE SET key = f.key`;

/** Closes these keys, or locks those that are closed. */
export async function closeKeys(tx: Sql, consumer: string, keys: readonly string[]): Promise<void> {
  await tx.query(CLOSE, [consumer, keys]);
}

/** Which of these keys are closed; they are locked and stay so until the end of the transaction. */
export async function lockFailingKeys(tx: Sql, consumer: string, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ key: string }>(
    `SELECT key FROM tinystore_inventory.failing_key WHERE consumer = $1 AND key = ANY($2::text[]) ORDER BY key FOR UPDATE`,
    [consumer, keys],
  );
  return new Set(rows.map((row) => row.key));
}

const OPEN = `
  DELETE FROM tinystore_inventory.failing_key f WHERE f.consumer = $1 AND f.key = $2
    AND NOT EXISTS (SELECT 1 FROM tinystore_inventory.dead_letter d
                    WHERE d.consumer = $1 AND d.key = $2 AND d.status IN ('RETRYING', 'PARKED', 'DEAD'))`;

/** Opens the key if nothing of it is open any more; its lock must be held. */
export async function openKeyWhenClear(tx: Sql, consumer: string, key: string): Promise<void> {
  await tx.query(OPEN, [consumer, key]);
}
