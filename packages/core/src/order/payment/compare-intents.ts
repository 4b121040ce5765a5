/**
 * Job payment.compare: the provider's view of recent intents against ours. A success that we never heard of is stored
 * as if its notice had come, and judged like any other; every other difference is an incident, which closes in the
 * first comparison that finds both views equal. Nothing is changed at the provider.
 */
import { closeIncident, openIncident } from '../../ops/index.ts';
import { classifyDatabaseError, type Sql } from '../../platform/index.ts';
import { findDifferences, type OurView } from './find-differences.ts';
import type { ProviderDeps } from './open-at-provider.ts';
import type { ChargeSeen, IntentReading } from './provider.ts';
import { storeNotice } from './receive-notice.ts';

export interface ComparedIntents {
  readonly scanned: number;
  /** Missed successes that were stored. */
  readonly fetched: number;
  readonly differing: number;
  /** The provider gave no answer. */
  readonly unknown: number;
  readonly failed: number;
}

interface KnownIntent {
  readonly id: string;
  readonly tradeId: string;
  readonly providerRef: string;
}

const PAGE = 20;
/** More than an hour's job can miss when it was down for a day. */
const RECENT = '2 days';

export async function compareIntents(
  deps: ProviderDeps,
  { limit, budgetMs = 120_000 }: { readonly limit: number; readonly budgetMs?: number },
): Promise<ComparedIntents> {
  const until = performance.now() + budgetMs;
  const sum = { scanned: 0, fetched: 0, differing: 0, unknown: 0, failed: 0 };
  let after: string | null = null;
  while (sum.scanned < limit && performance.now() < until) {
    const page: KnownIntent[] = await findIntents(deps.pool, after, Math.min(PAGE, limit - sum.scanned));
    for (const intent of page)
      try {
        const { fetched, differs } = await compareOne(deps, intent);
        sum.fetched += fetched;
        if (differs === 'unknown') sum.unknown += 1;
        else if (differs) sum.differing += 1;
      } catch (error) {
        if (classifyDatabaseError(error) === 'outage') throw error;
        deps.log.error({ error, intentId: intent.id }, 'a payment could not be compared with the provider');
        sum.failed += 1;
      }
    sum.scanned += page.length;
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
  return sum;
}

/** Recent ones, and older ones about which an incident is open. */
async function findIntents(sql: Sql, after: string | null, size: number): Promise<KnownIntent[]> {
  const { rows } = await sql.query<KnownIntent>(
    `SELECT p.id, p.trade_id AS "tradeId", p.provider_ref AS "providerRef" FROM tinystore_order.payment_intent p
     WHERE p.provider_ref IS NOT NULL AND ($1::uuid IS NULL OR p.id > $1)
       AND (p.created_at > ops.clock_now() - $3::interval OR EXISTS (
         SELECT FROM ops.incident i WHERE i.kind = 'PAYMENT_DIFFERS' AND i.status = 'OPEN' AND i.subject = p.id::text))
     ORDER BY p.id LIMIT $2`,
    [after, size, RECENT],
  );
  return rows;
}

async function compareOne(
  deps: ProviderDeps,
  intent: KnownIntent,
): Promise<{ readonly fetched: number; readonly differs: boolean | 'unknown' }> {
  const theirs = await deps.provider.readIntent(intent.providerRef);
  if (theirs.kind === 'unknown') return { fetched: 0, differs: 'unknown' };
  const fetched = theirs.kind === 'read' ? await fetchMissed(deps, intent, theirs) : 0;
  const ours = await readOurView(deps.pool, intent);
  const found = findDifferences(ours, theirs);
  const incident = { kind: 'PAYMENT_DIFFERS', subject: intent.id } as const;
  if (found.length === 0) await closeIncident(deps.pool, { ...incident, by: 'payment.compare' });
  else await openIncident(deps.pool, { ...incident, detail: { tradeId: intent.tradeId, found, ours, theirs } });
  return { fetched, differs: found.length > 0 };
}

async function fetchMissed(
  deps: ProviderDeps,
  intent: KnownIntent,
  { charges }: Extract<IntentReading, { kind: 'read' }>,
): Promise<number> {
  if (charges.length === 0) return 0;
  const { rows } = await deps.pool.query<{ chargeRef: string }>(
    `SELECT charge_ref AS "chargeRef" FROM tinystore_order.payment_event
     WHERE charge_ref = ANY($1::text[]) AND kind = 'SUCCEEDED'`,
    [charges.map((charge) => charge.chargeRef)],
  );
  const known = new Set(rows.map((row) => row.chargeRef));
  const missed = charges.filter((charge) => !known.has(charge.chargeRef));
  for (const charge of missed) await storeFetched(deps, intent, charge);
  return missed.length;
}

/** Its own notice may still come: it tells of the same charge and has no effect of its own. */
async function storeFetched(deps: ProviderDeps, intent: KnownIntent, charge: ChargeSeen): Promise<void> {
  const { chargeRef, attempt, amountMinor, currency, createdAt } = charge;
  const stored = await storeNotice(deps, {
    eventId: `fetched_${chargeRef}`,
    kind: 'SUCCEEDED',
    intentRef: intent.providerRef,
    intentId: intent.id,
    chargeRef,
    attempt,
    amountMinor,
    currency,
    payload: { fetchedBy: 'payment.compare', chargeRef, attempt, amountMinor, currency, createdAt },
  });
  if (stored.kind === 'refused') throw new Error(`a fetched payment could not be stored: ${stored.code}`);
}

/** Each charge counts once, however many notices told of it. */
async function readOurView(sql: Sql, { id, tradeId, providerRef }: KnownIntent): Promise<OurView> {
  const { rows } = await sql.query<OurView>(
    `SELECT p.amount_minor AS "amountMinor", p.currency,
       (SELECT coalesce(sum(c.amount_minor), 0)::bigint FROM (
          SELECT DISTINCT ON (coalesce(e.charge_ref, e.event_id)) e.amount_minor FROM tinystore_order.payment_event e
          WHERE e.kind = 'SUCCEEDED' AND e.intent_ref = $3 AND (e.trade_id = $2 OR e.trade_id IS NULL)
          ORDER BY coalesce(e.charge_ref, e.event_id), e.received_at) c) AS "receivedMinor",
       (SELECT coalesce(sum(r.amount_minor) FILTER (WHERE r.status = 'SUCCEEDED'), 0)::bigint
        FROM tinystore_order.refund r WHERE r.trade_id = $2) AS "refundedMinor",
       (SELECT coalesce(sum(r.amount_minor) FILTER (WHERE r.status IN ('SENT', 'FAILED')), 0)::bigint
        FROM tinystore_order.refund r WHERE r.trade_id = $2) AS "refundsUnderWayMinor"
     FROM tinystore_order.payment_intent p WHERE p.id = $1`,
    [id, tradeId, providerRef],
  );
  if (!rows[0]) throw new Error(`payment intent ${id} is gone`);
  return rows[0];
}
