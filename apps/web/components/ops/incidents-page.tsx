'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '../trpc/client.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago, ReadAt } from './ago.tsx';
import { CloseIncident } from './close-incident.tsx';
import { MoreButton } from './more-button.tsx';
import { Failed, Nothing, PageHead, Panel } from './panel.tsx';
import { refreshPages } from './refresh-pages.ts';
import { addressOf } from './reservation-filter.ts';
import type { Incident } from './types.ts';

const REFRESH_MS = 3000;
const LINK = 'text-kelp underline decoration-kelp/40 underline-offset-4 hover:decoration-kelp';

/** What needed or needs a person, from `ops.incidents`: what it means, what is known, and where to read what to do. */
export function IncidentsPage() {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.ops.incidents.infiniteQueryOptions(
      {},
      { getNextPageParam: (page) => page.next ?? undefined, refetchInterval: refreshPages(REFRESH_MS) },
    ),
  );
  const { error, dataUpdatedAt, isRefetchError } = list;
  const incidents = list.data?.pages.flatMap((page) => page.incidents);
  return (
    <>
      <PageHead title="Incidents" />
      <Panel
        title="Newest first"
        aside={<ReadAt at={dataUpdatedAt ? new Date(dataUpdatedAt) : undefined} stale={isRefetchError} />}
      >
        {incidents ? (
          incidents.length === 0 ? (
            <Nothing>Nothing needs a person, and nothing ever did.</Nothing>
          ) : (
            <ul className="divide-y divide-line">
              {incidents.map((incident) => (
                <IncidentRow key={incident.id} incident={incident} />
              ))}
            </ul>
          )
        ) : error ? (
          <Failed error={error} what="Incidents" />
        ) : (
          <Waiting className="h-40 rounded-none" />
        )}
      </Panel>
      <MoreButton of={list}>Older ones</MoreButton>
    </>
  );
}

function IncidentRow({ incident }: { incident: Incident }) {
  const { tradeId } = incident.detail;
  return (
    <li className="grid gap-x-4 gap-y-1 px-3 py-2.5 md:grid-cols-[5.5rem_minmax(0,1fr)_7rem]">
      <span>
        {incident.status === 'OPEN' ? (
          <StateChip state="OPEN" word="open" className="bg-drift-down-wash text-drift-down" />
        ) : (
          <StateChip state="DONE" word="closed" />
        )}
      </span>
      <span className="min-w-0">
        <span className="text-sm font-medium">{incident.sentence}</span>
        <span className="block truncate font-mono text-xs text-soft">
          {incident.kind} · {incident.subject}
        </span>
        <span className="flex flex-wrap gap-x-4 text-xs text-soft">
          {incident.runbook && (
            <span>
              What to do: <span className="font-mono">{incident.runbook}</span>
            </span>
          )}
          {typeof tradeId === 'string' && (
            <>
              <Link href={`/ops/orders/${tradeId}`} className={LINK}>
                Its order
              </Link>
              <Link href={addressOf({ trade: tradeId })} className={LINK}>
                Reservations of this trade
              </Link>
            </>
          )}
        </span>
        <details className="text-xs text-soft">
          <summary className="cursor-pointer py-1 hover:text-ink">What is known</summary>
          <pre className="overflow-x-auto bg-foam p-2 font-mono">{JSON.stringify(incident.detail, null, 2)}</pre>
        </details>
        {incident.mayClose && <CloseIncident id={incident.id} />}
      </span>
      <span className="text-xs text-soft md:text-right">
        <Ago at={incident.openedAt} />
      </span>
    </li>
  );
}
