/** Dead letters for the console: one by one, or by what they have in common. */

import type { DeadLetterStatus } from '../../../domain/index.ts';
import type { Sql } from '../../../platform/index.ts';
import { classifyLetter } from './may-discard.ts';

export interface LetterView {
  readonly id: number;
  readonly consumer: string;
  readonly eventId: string;
  readonly type: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly body: string;
  readonly reason: string;
  readonly fingerprint: string;
  readonly status: DeadLetterStatus;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly endedBy: string | null;
  /** Its units or money are at stake: it can be sent again, never thrown away. */
  readonly mayDiscard: boolean;
}
export interface LetterFilter {
  /** Without it: everything open. */
  readonly status?: DeadLetterStatus;
  readonly fingerprint?: string;
  readonly beforeId?: number;
  readonly limit?: number;
}

const OPEN: readonly DeadLetterStatus[] = ['RETRYING', 'PARKED', 'DEAD'];

/** Newest first; `beforeId` pages on. */
export async function listLetters(sql: Sql, filter: LetterFilter = {}): Promise<LetterView[]> {
  const { rows } = await sql.query<Omit<LetterView, 'mayDiscard'>>(
    `SELECT id, consumer, event_id AS "eventId", type, topic, partition, "offset", key, left(body, 20000) AS body, reason,
            fingerprint, status, attempts, created_at AS "createdAt", updated_at AS "updatedAt",
            next_attempt_at AS "nextAttemptAt", ended_by AS "endedBy"
     FROM tinystore_inventory.dead_letter
     WHERE status = ANY($1::text[]) AND ($2::text IS NULL OR fingerprint = $2) AND ($3::bigint IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [
      filter.status ? [filter.status] : OPEN,
      filter.fingerprint ?? null,
      filter.beforeId ?? null,
      Math.min(filter.limit ?? 100, 500),
    ],
  );
  return rows.map((row) => ({ ...row, mayDiscard: classifyLetter(row.type) === 'discardable' }));
}

export interface LetterGroup {
  readonly fingerprint: string;
  readonly consumer: string;
  readonly type: string;
  readonly reason: string;
  readonly letters: number;
  readonly keys: number;
  /** Messages that wait behind these. */
  readonly parked: number;
  readonly since: Date;
}

/** DEAD letters by fingerprint, the largest group first. */
export async function groupLetters(sql: Sql): Promise<LetterGroup[]> {
  const { rows } = await sql.query<LetterGroup>(
    `SELECT d.fingerprint, min(d.consumer) AS consumer, min(d.type) AS type, min(d.reason) AS reason,
            count(*)::integer AS letters, count(DISTINCT d.key)::integer AS keys,
            coalesce(sum(p.parked), 0)::integer AS parked, min(d.created_at) AS since
     FROM tinystore_inventory.dead_letter d
     LEFT JOIN (SELECT consumer, key, count(*) AS parked FROM tinystore_inventory.dead_letter
                WHERE status = 'PARKED' GROUP BY 1, 2) p ON p.consumer = d.consumer AND p.key = d.key AND d.key <> ''
     WHERE d.status = 'DEAD' GROUP BY d.fingerprint ORDER BY 5 DESC, 1 LIMIT 200`,
  );
  return rows;
}
