/** Invariants 8 and 11 of design section 12 about failing messages (P33), as queries: each row found is a violation. */
import type { InvariantQuery } from './invariant-query.ts';

const YOUNG = `interval '6 days'`;
const OPEN = `('RETRYING', 'PARKED', 'DEAD')`;

/** Still to be tried, or waiting behind nothing that a person has to decide. */
export const UNDECIDED = `
  SELECT d.consumer, d.event_id, d.status FROM tinystore_inventory.dead_letter d
  WHERE d.status = 'RETRYING' OR d.status = 'DEAD' AND d.next_attempt_at IS NOT NULL
    OR d.status = 'PARKED' AND NOT EXISTS (
      SELECT FROM tinystore_inventory.dead_letter e
      WHERE e.consumer = d.consumer AND e.key = d.key AND e.id < d.id AND e.status = 'DEAD')`;

export const LETTER_INVARIANTS: readonly InvariantQuery[] = [
  {
    invariant: 8,
    sentence: 'a failing message that is neither handled nor given up',
    sql: `SELECT consumer || '/' || event_id AS subject, status AS detail FROM (${UNDECIDED}) u`,
  },
  {
    invariant: 8,
    sentence: 'a closed key that nothing keeps closed, or an open letter whose key is not closed',
    sql: `SELECT coalesce(f.consumer, d.consumer) || '/' || coalesce(f.key, d.key) AS subject,
            format('closed %s, open letters %s', f.key IS NOT NULL, coalesce(d.n, 0)) AS detail
          FROM tinystore_inventory.failing_key f
          FULL JOIN (SELECT consumer, key, count(*) AS n FROM tinystore_inventory.dead_letter
                     WHERE status IN ${OPEN} AND key <> '' GROUP BY 1, 2) d USING (consumer, key)
          WHERE f.key IS NULL OR d.key IS NULL`,
  },
  {
    invariant: 8,
    sentence: 'a letter whose end and inbox mark do not agree',
    sql: `SELECT d.consumer || '/' || d.event_id AS subject, format('%s, marked %s', d.status, i.event_id IS NOT NULL) AS detail
          FROM tinystore_inventory.dead_letter d
          LEFT JOIN tinystore_inventory.inbox_event i USING (consumer, event_id)
          WHERE d.updated_at > ops.clock_now() - ${YOUNG} AND (d.status = 'RESOLVED') <> (i.event_id IS NOT NULL)`,
  },
  {
    invariant: 8,
    sentence: 'a message that moves units was thrown away',
    sql: `SELECT consumer || '/' || event_id AS subject, type AS detail FROM tinystore_inventory.dead_letter
          WHERE status = 'DISCARDED' AND type IN ('INVENTORY_RESERVE_DB', 'INVENTORY_CONFIRM', 'INVENTORY_RELEASE')`,
  },
  {
    invariant: 11,
    sentence: 'a message thrown away by nobody, or without an audit entry',
    sql: `SELECT consumer || '/' || event_id AS subject, coalesce(ended_by, 'nobody') AS detail
          FROM tinystore_inventory.dead_letter d
          WHERE status = 'DISCARDED' AND (coalesce(btrim(ended_by), '') = '' OR NOT EXISTS (
            SELECT FROM ops.audit_log a WHERE a.action = 'dead-letter.discard' AND a.target = 'dead letter ' || d.id))`,
  },
];
