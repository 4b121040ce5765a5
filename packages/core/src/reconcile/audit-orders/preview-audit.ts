/** How many events order.audit would send again now: its look at effects, without sending (P34). */
import { readPositions } from '../../stream/index.ts';
import type { AuditDeps } from './audit-orders.ts';
import { findMissingEffects } from './find-missing-effects.ts';

const PAGE_ROWS = 10_000;
const MAX_PAGES = 1000;
const GRACE_MS = 60_000;

export async function previewAudit({
  pool,
  stream,
  readers,
}: AuditDeps): Promise<{ readonly scanned: number; readonly changed: number }> {
  const { rows } = await pool.query<{ now: Date }>('SELECT ops.clock_now() AS now');
  const sentBefore = new Date((rows[0]?.now.getTime() ?? 0) - GRACE_MS);
  const positions = await readPositions(stream, readers);
  const applies = readers.flatMap(({ name, types }) => types.map((type) => ({ consumer: name, type })));
  let [after, scanned, changed] = [0, 0, 0];
  for (let n = 0; n < MAX_PAGES; n++) {
    const page = await findMissingEffects(pool, applies, { after, rows: PAGE_ROWS, sentBefore });
    changed += page.missing.filter((m) => positions.hasPassed(m.consumer, m.partition, m.offset)).length;
    scanned += page.scanned;
    after = page.lastId;
    if (page.scanned < PAGE_ROWS) break;
  }
  return { scanned, changed };
}
