'use client';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago, ReadAt } from './ago.tsx';
import { Failed, Nothing, PageHead, Panel } from './panel.tsx';
import type { Incident } from './types.ts';

const REFRESH_MS = 3000;

export function IncidentsPage() {
  const trpc = useTRPC();
  const { data, error, dataUpdatedAt, isRefetchError } = useQuery(
    trpc.ops.incidents.queryOptions({}, { refetchInterval: REFRESH_MS }),
  );
  return (
    <>
      <PageHead title="Incidents" />
      <Panel
        title="Newest first"
        aside={<ReadAt at={dataUpdatedAt ? new Date(dataUpdatedAt) : undefined} stale={isRefetchError} />}
      >
        {data ? (
          data.length === 0 ? (
            <Nothing>Nothing needs a person, and nothing ever did.</Nothing>
          ) : (
            <ul className="divide-y divide-line">
              {data.map((incident) => (
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
    </>
  );
}

function IncidentRow({ incident }: { incident: Incident }) {
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
        <details className="text-xs text-soft">
          <summary className="cursor-pointer py-1 hover:text-ink">What is known</summary>
          <pre className="overflow-x-auto bg-foam p-2 font-mono">{JSON.stringify(incident.detail, null, 2)}</pre>
        </details>
      </span>
      <span className="text-xs text-soft md:text-right">
        <Ago at={incident.openedAt} />
      </span>
    </li>
  );
}
