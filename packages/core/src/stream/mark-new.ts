/**
 * Sorts the events of a set: new ones get their inbox mark, those of a failing key wait behind it, and the few that
 * never wait go past it (P33). One statement where nothing fails, which is always.
 */
import type { Sql } from '../platform/index.ts';
import type { ConsumerDefinition } from './consumer-definition.ts';
import { keyOf } from './dead-letter.ts';
import { lockFailingKeys } from './failing-key.ts';
import type { ReadEvent } from './read-message.ts';

/** An event with a dead letter belongs to that letter until it is handled from there. */
const MARK = `
  WITH given AS (
    SELECT g.id, g.key, g.passes FROM unnest($2::uuid[], $3::text[], $4::boolean[]) AS g(id, key, passes)
    WHERE NOT EXISTS (SELECT 1 FROM tinystore_inventory.dead_letter d WHERE d.consumer = $1 AND d.event_id = g.id)
  ), closed AS MATERIALIZED (
    SELECT key FROM tinystore_inventory.failing_key WHERE consumer = $1 AND key = ANY($3::text[])
  ), marked AS (
    INSERT INTO tinystore_inventory.inbox_event (consumer, event_id)
    SELECT $1, g.id FROM given g WHERE g.passes OR g.key NOT IN (SELECT key FROM closed)
    ORDER BY g.id
    ON CONFLICT DO NOTHING RETURNING event_id
  )
  SELECT event_id AS id, false AS waits FROM marked
  UNION ALL
  SELECT g.id, true FROM given g
  WHERE NOT g.passes AND g.key IN (SELECT key FROM closed)
    AND NOT EXISTS (SELECT 1 FROM tinystore_inventory.inbox_event i WHERE i.consumer = $1 AND i.event_id = g.id)`;

export interface Marked {
  /** Marked now; their effect belongs into this transaction. */
  readonly fresh: ReadEvent[];
  /** Their key is closed and locked. */
  readonly waiting: ReadEvent[];
}

/** @returns each event at most once, in the order given; those handled before, or kept as letters, are left out */
export async function markNew(tx: Sql, definition: ConsumerDefinition, read: readonly ReadEvent[]): Promise<Marked> {
  const { rows } = await tx.query<{ id: string; waits: boolean }>(MARK, [
    definition.name,
    read.map((r) => r.event.id),
    read.map((r) => keyOf(r.origin)),
    read.map((r) => definition.passes?.types.includes(r.event.type) ?? false),
  ]);
  const fresh = pick(read, new Set(rows.filter((row) => !row.waits).map((row) => row.id)));
  const behind = pick(read, new Set(rows.filter((row) => row.waits).map((row) => row.id)));
  if (behind.length === 0) return { fresh, waiting: [] };
  const closed = await lockFailingKeys(
    tx,
    definition.name,
    behind.map((r) => keyOf(r.origin)),
  );
  const waiting = behind.filter((r) => closed.has(keyOf(r.origin)));
  const opened = behind.filter((r) => !closed.has(keyOf(r.origin)));
  if (opened.length === 0) return { fresh, waiting };
  // The key opened while its lock was awaited.
  const more = await markNew(tx, definition, opened);
  return { fresh: [...fresh, ...more.fresh], waiting: [...waiting, ...more.waiting] };
}

/** `delete` answers true once, so a message that is twice in the set counts once. */
function pick(read: readonly ReadEvent[], ids: Set<string>): ReadEvent[] {
  return read.filter(({ event }) => ids.delete(event.id));
}
