/**
 * stream.retry: tries again what is due, and then in key order what is parked behind it (P33). Bounded in rows and
 * time; what is left goes on at the next tick, in whichever worker.
 */
import type { ConsumerDefinition } from './consumer-definition.ts';
import { type LetterDeps, tryLetter } from './try-letter.ts';

const KEYS_A_ROUND = 500;
/** Keys beside each other, so that one whose lock is held keeps no other waiting. */
const ABREAST = 4;
const BUDGET_MS = 20_000;

export interface RetrySummary {
  readonly resolved: number;
  readonly failed: number;
}

/**
 * Due letters, and the first open one of a key when it is parked. One letter a key and round. What is due later than
 * twice the longest wait was written before the database's clock was set back: due now.
 */
const DUE = `
  SELECT min(id) AS id, consumer, key FROM (
    SELECT d.id, d.consumer, d.key FROM tinystore_inventory.dead_letter d
    WHERE (d.next_attempt_at <= ops.clock_now() OR d.next_attempt_at > ops.clock_now() + 2 * $2::float8 * interval '1 millisecond')
      AND d.status IN ('RETRYING', 'DEAD') AND d.consumer = ANY($1::text[])
    UNION ALL
    SELECT h.id, f.consumer, f.key FROM tinystore_inventory.failing_key f
    CROSS JOIN LATERAL (SELECT d.id, d.status FROM tinystore_inventory.dead_letter d
                        WHERE d.consumer = f.consumer AND d.key = f.key AND d.status IN ('RETRYING', 'PARKED', 'DEAD')
                        ORDER BY d.id LIMIT 1) h
    WHERE h.status = 'PARKED' AND f.consumer = ANY($1::text[])
  ) due
  GROUP BY consumer, key, CASE WHEN key = '' THEN id END
  ORDER BY 1 LIMIT ${KEYS_A_ROUND}`;

interface Due {
  readonly id: number;
  readonly consumer: string;
  readonly key: string;
}

/** @throws for an outage; what was not tried is tried at the next run */
export async function retryLetters(
  deps: LetterDeps,
  definitions: readonly ConsumerDefinition[],
  { budgetMs = BUDGET_MS }: { readonly budgetMs?: number } = {},
): Promise<RetrySummary> {
  const summary = { resolved: 0, failed: 0 };
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const deadline = performance.now() + budgetMs;
  while (performance.now() < deadline) {
    const { rows } = await deps.pool.query<Due>(DUE, [[...byName.keys()], deps.retry.maxMs]);
    const before = summary.resolved + summary.failed;
    const queue = [...rows];
    const work = async () => {
      for (let due = queue.shift(); due && performance.now() < deadline; due = queue.shift()) {
        const definition = byName.get(due.consumer);
        const outcome = definition && (await tryLetter(deps, definition, due.id));
        if (outcome === 'resolved') summary.resolved++;
        if (outcome === 'failed') summary.failed++;
      }
    };
    await Promise.all(Array.from({ length: ABREAST }, work));
    if (summary.resolved + summary.failed === before) break;
  }
  return summary;
}
