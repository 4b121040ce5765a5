/** One page of a run: logs what was found, tends its incidents, repairs, and adds it all to the run's summary. */
import type { Comparison } from './compare.ts';
import { isStuck, remedyOf } from './plan-repair.ts';
import type { ReconcileDeps } from './reconcile.ts';
import { logFindings, type RunSummary } from './reconcile-log.ts';
import { repair } from './repair.ts';
import { type RoundBefore, readSightings } from './sightings.ts';
import { tendDriftIncidents } from './tend-drift-incidents.ts';

/** A broken gate must not become one write per SKU: the rest waits for the next run. */
const MAX_REPAIRS_A_RUN = 500;
/** Lost keys are named, but a gate that lost them all is one event, not one a SKU. */
const MAX_LOST_NAMED = 20;
const LOST: ReadonlySet<string> = new Set(['NOT_LOADED', 'STALE_EPOCH', 'BUSY']);
/** No news of this one SKU; a row each, in a log that only grows, would tell nothing that the run's counts do not. */
const PASSING: ReadonlySet<string> = new Set(['GATE_CLOSED', 'NO_ANSWER', 'STALE_EPOCH', 'BUSY', 'NOT_LOADED']);

interface Judging {
  readonly actor: string;
  readonly before: RoundBefore;
}

export async function judgePage(
  deps: ReconcileDeps,
  found: readonly Comparison[],
  sofar: RunSummary,
  { actor, before }: Judging,
): Promise<RunSummary> {
  const judged = found.filter((c) => c.kind === 'judged');
  const differing = judged.filter((c) => !c.explanation.agrees);
  const unknown = found.filter((c) => c.kind === 'unknown');
  const stuck = unknown.filter(isStuck);
  const { runId } = sofar;
  const sightings = await readSightings(deps.pool, before, [...differing, ...stuck]);
  await logFindings(deps.pool, runId, [...differing, ...unknown.filter(isNamed), ...lostKeys(unknown, sofar)], actor);
  await tendDriftIncidents(deps.pool, { judged, stuck, runId, differedBefore: (sku) => sightings(sku).differed });
  const repaired = { effects: 0, reinstall: 0, rebuild: 0 };
  let left = MAX_REPAIRS_A_RUN - sofar.reinstalled - sofar.effectsIssued;
  for (const comparison of [...stuck, ...differing]) {
    const remedy = remedyOf(comparison, sightings(comparison));
    if (remedy === 'none' || remedy === 'wait' || left <= 0) continue;
    left--;
    if (await repair(deps, comparison, remedy, { runId, actor })) repaired[remedy]++;
  }
  return {
    ...sofar,
    skus: sofar.skus + found.length,
    judged: sofar.judged + judged.length,
    moving: sofar.moving + found.filter((c) => c.kind === 'moving').length,
    unknown: sofar.unknown + unknown.length,
    unknownBy: countBy(sofar.unknownBy, unknown),
    differing: sofar.differing + differing.length,
    explained: sofar.explained + sumOf(judged.map(({ explanation: e }) => e.deducted.inFlight + e.capacity.inFlight)),
    unexplained: sofar.unexplained + sumOf(judged.map((c) => c.explanation.unexplainedUnits)),
    reinstalled: sofar.reinstalled + repaired.reinstall,
    effectsIssued: sofar.effectsIssued + repaired.effects,
  };
}

type Unknown = Extract<Comparison, { kind: 'unknown' }>;

function isNamed(c: Unknown): boolean {
  return (isStuck(c) && !c.ledger.reloadPending) || !PASSING.has(c.why);
}

/** The gate closed itself when it was read, and is rebuilt (P9). */
function lostKeys(unknown: readonly Unknown[], { unknownBy }: RunSummary): Unknown[] {
  const lost = unknown.filter((c) => LOST.has(c.why) && !isStuck(c) && c.ledger?.reloadPending === false);
  const named = [...LOST].reduce((sum, why) => sum + (unknownBy[why] ?? 0), 0);
  return lost.slice(0, Math.max(0, MAX_LOST_NAMED - named));
}

function countBy(
  sofar: RunSummary['unknownBy'],
  unknown: readonly { readonly why: string }[],
): RunSummary['unknownBy'] {
  const counts = { ...sofar };
  for (const { why } of unknown) counts[why] = (counts[why] ?? 0) + 1;
  return counts;
}

function sumOf(units: readonly number[]): number {
  return units.reduce((total, n) => total + n, 0);
}
