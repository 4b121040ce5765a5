'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Action, ActionFailed, type By, ROW } from './acting.tsx';
import { Ago } from './ago.tsx';
import { Failed, Nothing, Panel } from './panel.tsx';

const REFRESH_MS = 5000;

/** Events that cannot be sent, by key; they go back all together, in their order (P32). */
export function ParkedEvents({ by }: { by: By }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const parked = useQuery(trpc.ops.parkedEvents.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const putBack = useMutation(
    trpc.ops.putBackParkedEvents.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.ops.pathFilter()),
    }),
  );
  return (
    <Panel title="Events that could not be sent">
      <ActionFailed error={putBack.error} />
      {parked.data ? (
        parked.data.length === 0 ? (
          <Nothing>Every event could be sent.</Nothing>
        ) : (
          <ul className="divide-y divide-line">
            {parked.data.map(({ topic, key, type, reason, events, since }) => (
              <li key={`${topic} ${key}`} className={ROW}>
                <span className="figures font-semibold sm:w-12 sm:text-right">{events}</span>
                <span className="min-w-0 sm:flex-1">
                  <span className="block break-words sm:truncate">{reason}</span>
                  <span className="block break-words font-mono text-xs text-soft">
                    {type} · {topic} · key {key} · <Ago at={since} />
                  </span>
                </span>
                <Action by={by} of={putBack} onClick={() => putBack.mutate({ topic, key, reason: by.reason })}>
                  Put back
                </Action>
              </li>
            ))}
          </ul>
        )
      ) : parked.error ? (
        <Failed error={parked.error} what="Parked events" />
      ) : (
        <Waiting className="h-24 rounded-none" />
      )}
    </Panel>
  );
}
