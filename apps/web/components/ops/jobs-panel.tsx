'use client';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago } from './ago.tsx';
import { Failed, Nothing, Panel } from './panel.tsx';

const REFRESH_MS = 5000;

export function JobsPanel() {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.ops.jobs.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  return (
    <Panel title="Jobs, last run">
      {data ? (
        data.length === 0 ? (
          <Nothing>No job has run yet. Is a worker running?</Nothing>
        ) : (
          <ul className="grid grid-cols-[minmax(0,1fr)] overflow-hidden md:grid-cols-2 xl:grid-cols-3">
            {data.map((run) => (
              <li key={run.job} className="flex h-8 items-center gap-3 px-3 text-sm shadow-[1px_1px_0_0] shadow-line">
                <span className="truncate font-mono text-xs">{run.job}</span>
                <span className="ml-auto text-xs text-soft">
                  <Ago at={run.startedAt} />
                </span>
                {run.outcome === 'FAILED' ? (
                  <span className="text-xs font-medium text-drift-down">failed</span>
                ) : (
                  <StateChip state={run.outcome ?? 'PENDING'} word={run.outcome ? 'done' : 'running'} />
                )}
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <Failed error={error} what="Jobs" />
      ) : (
        <Waiting className="h-24 rounded-none" />
      )}
    </Panel>
  );
}
