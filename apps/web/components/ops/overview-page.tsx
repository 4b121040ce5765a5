'use client';
/** Health in sentences, counts by state, the first counters and the jobs; each part asks for itself and fails for itself. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { Ago, sayAge } from './ago.tsx';
import { CountersTable } from './counters-table.tsx';
import { HealthCard } from './health-card.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { PageHead } from './panel.tsx';
import { StateCounts } from './state-counts.tsx';
import type { GateHealth, OutboxHealth, Overview } from './types.ts';

const REFRESH = { refetchInterval: 2000 };
const OUTBOX_LATE_SECONDS = 10;
const EFFECTS_LATE_SECONDS = 10;

export function OverviewPage() {
  const trpc = useTRPC();
  const gate = useQuery(trpc.ops.gate.queryOptions(undefined, REFRESH));
  const outbox = useQuery(trpc.ops.outbox.queryOptions(undefined, REFRESH));
  const overview = useQuery(trpc.ops.overview.queryOptions(undefined, REFRESH));
  return (
    <div className="space-y-5">
      <PageHead title="Overview" />
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        <HealthCard name="Gate" href="/ops/counters" error={gate.error} state={gate.data && sayGate(gate.data)} />
        <HealthCard
          name="Outbox"
          href="/ops/reservations"
          error={outbox.error}
          state={outbox.data && sayOutbox(outbox.data)}
        />
        <HealthCard
          name="Incidents"
          href="/ops/incidents"
          error={overview.error}
          state={overview.data && sayIncidents(overview.data)}
        />
        <HealthCard
          name="Reconcile"
          href="/ops/reconcile"
          error={overview.error}
          state={overview.data && sayReconcile(overview.data)}
        />
      </div>
      {overview.data && <StateCounts overview={overview.data} />}
      <CountersTable limit={8} title="Counters, first eight" />
      <JobsPanel />
    </div>
  );
}

function sayGate(gate: GateHealth) {
  const effects =
    gate.pendingEffects === 0
      ? 'No effect waits'
      : `${gate.pendingEffects} effects wait, the oldest ${sayAge(gate.oldestEffectSeconds)}`;
  if (!gate.open)
    return {
      calm: 'act' as const,
      sentence: (
        <>
          Gate closed
          {gate.since && (
            <>
              , since <Ago at={gate.since} />
            </>
          )}
        </>
      ),
      detail: gate.closedReason ?? 'Nothing is sold from it until it is open again.',
    };
  return {
    calm: gate.oldestEffectSeconds > EFFECTS_LATE_SECONDS ? ('look' as const) : ('good' as const),
    sentence: (
      <>
        Gate open, epoch {gate.epoch}
        {gate.since && (
          <>
            , for <Ago at={gate.since} suffix="" />
          </>
        )}
      </>
    ),
    detail: gate.epoch > 1 && gate.rebuiltBecause ? `${effects}. Last rebuilt: ${gate.rebuiltBecause}` : effects,
  };
}

function sayOutbox({ pending, oldestPendingSeconds, parked }: OutboxHealth) {
  const calm =
    parked > 0 ? ('act' as const) : oldestPendingSeconds > OUTBOX_LATE_SECONDS ? ('look' as const) : ('good' as const);
  const sentence =
    pending === 0 ? 'Every event is sent' : `${pending} events wait, the oldest ${sayAge(oldestPendingSeconds)}`;
  return { calm, sentence, detail: parked === 0 ? 'None is parked' : `${parked} parked` };
}

function sayIncidents({ openIncidents, deadLetters }: Overview) {
  const sentence =
    openIncidents === 0
      ? 'No open incident'
      : `${openIncidents} open ${openIncidents === 1 ? 'incident' : 'incidents'}`;
  return {
    calm: openIncidents + deadLetters > 0 ? ('act' as const) : ('good' as const),
    sentence,
    detail: deadLetters === 0 ? 'No dead letter' : `${deadLetters} dead letters`,
  };
}

function sayReconcile({ lastReconcile: run }: Overview) {
  if (!run) return { calm: 'good' as const, sentence: 'No run yet' };
  const { unexplained, differing, outcome, judged, skus } = run.summary;
  const detail = (
    <>
      {judged} of {skus} SKUs judged, <Ago at={run.at} />
    </>
  );
  if (outcome === 'closed') return { calm: 'look' as const, sentence: 'The last run met a closed gate', detail };
  if (differing > 0)
    return { calm: 'act' as const, sentence: `${unexplained} units unexplained in ${differing} SKUs`, detail };
  if (judged === 0 && skus > 0) return { calm: 'look' as const, sentence: 'The last run could judge no SKU', detail };
  return { calm: 'good' as const, sentence: 'Nothing is unexplained', detail };
}
