/**
 * order.audit (P34): sends again what was sent and had no effect, under the same event ids; says which orders have no
 * events, and which stand still. Bounded in rows and time; the next run goes on where this one ended.
 */
import type { Log, Pool } from '../../platform/index.ts';
import { type Reader, readPositions, type Stream } from '../../stream/index.ts';
import { findEventless } from './find-eventless.ts';
import { findMissingEffects, type MissingEffect } from './find-missing-effects.ts';
import { sendAgainFrom } from './send-again.ts';
import { watchUnsettled } from './watch-unsettled.ts';

export interface AuditDeps {
  /** For reads of whole pages: long limits, and never the gate lock. */
  readonly pool: Pool;
  readonly stream: Stream;
  readonly log: Log;
  /** Consumers with the types they apply. */
  readonly readers: readonly (Reader & { readonly types: readonly string[] })[];
}
/** Where the last run ended. */
export interface AuditMark {
  readonly resumeAfter: number;
  readonly checkedUpTo: string | null;
}
export interface AuditSummary extends AuditMark {
  readonly scanned: number;
  readonly sentAgain: number;
  readonly onTheWay: number;
  readonly withoutEvents: number;
  readonly stuck: number;
  readonly closed: number;
}

/** What is younger may be on its way. */
const GRACE_MS = 60_000;
const PAGE_ROWS = 10_000;
const BUDGET_MS = 30_000;

export async function auditOrders(
  deps: AuditDeps,
  mark: AuditMark,
  { budgetMs = BUDGET_MS }: { readonly budgetMs?: number } = {},
): Promise<AuditSummary> {
  const until = await oldEnough(deps.pool);
  // Before the inbox is looked at: what a consumer has passed by now has left its mark or its letter.
  const positions = await readPositions(deps.stream, deps.readers);
  const applies = deps.readers.flatMap(({ name, types }) => types.map((type) => ({ consumer: name, type })));
  const deadline = performance.now() + budgetMs;
  const waiting = new Set<string>();
  let [after, scanned, sentAgain] = [mark.resumeAfter, 0, 0];
  for (;;) {
    const page = await findMissingEffects(deps.pool, applies, { after, rows: PAGE_ROWS, sentBefore: until });
    const lost = page.missing.filter((m) => positions.hasPassed(m.consumer, m.partition, m.offset));
    for (const { key } of page.missing) waiting.add(key);
    sentAgain += await sendAgain(deps, lost);
    scanned += page.scanned;
    after = page.scanned < PAGE_ROWS ? 0 : page.lastId;
    if (after === 0 || performance.now() > deadline) break;
  }
  const withoutEvents = await findEventless(deps.pool, {
    checkedUpTo: mark.checkedUpTo === null ? null : new Date(mark.checkedUpTo),
    until,
  });
  const { stuck, closed } = await watchUnsettled(deps.pool, [...waiting]);
  const more = { resumeAfter: after, checkedUpTo: until.toISOString() };
  return { scanned, sentAgain, onTheWay: waiting.size, withoutEvents, stuck, closed, ...more };
}

async function sendAgain({ pool, log }: AuditDeps, lost: readonly MissingEffect[]): Promise<number> {
  const events = await sendAgainFrom(pool, lost);
  if (events > 0) log.warn({ events, lost: lost.length }, 'sent events had no effect; they are sent again');
  return events;
}

async function oldEnough(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ at: Date }>(
    `SELECT ops.clock_now() - $1::double precision * interval '1 millisecond' AS at`,
    [GRACE_MS],
  );
  const at = rows[0]?.at;
  if (!at) throw new Error('the clock of the database did not answer');
  return at;
}
