'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Action, ActionFailed, type By, ROW } from './acting.tsx';
import { Ago } from './ago.tsx';
import { Failed, Nothing, Panel } from './panel.tsx';

const REFRESH_MS = 3000;

/** What was given up, by its cause; a whole cause is sent again once it is mended. */
export function DeadLetterGroups({ by }: { by: By }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const groups = useQuery(trpc.ops.deadLetterGroups.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const redrive = useMutation(
    trpc.ops.redriveDeadLetters.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.ops.pathFilter()),
    }),
  );
  return (
    <Panel title="By cause">
      <ActionFailed error={redrive.error} />
      {groups.data ? (
        groups.data.length === 0 ? (
          <Nothing>No message was given up.</Nothing>
        ) : (
          <ul className="divide-y divide-line">
            {groups.data.map((group) => (
              <li key={group.fingerprint} className={ROW}>
                <span className="figures font-semibold sm:w-12 sm:text-right">{group.letters}</span>
                <span className="min-w-0 sm:flex-1">
                  <span className="block break-words sm:truncate">{group.reason}</span>
                  <span className="block break-words font-mono text-xs text-soft">
                    {group.consumer} · {group.type} · {group.keys} keys · {group.parked} waiting behind ·{' '}
                    <Ago at={group.since} />
                  </span>
                </span>
                <Action
                  by={by}
                  of={redrive}
                  onClick={() => redrive.mutate({ fingerprint: group.fingerprint, reason: by.reason })}
                >
                  Send all again
                </Action>
              </li>
            ))}
          </ul>
        )
      ) : groups.error ? (
        <Failed error={groups.error} what="Causes" />
      ) : (
        <Waiting className="h-24 rounded-none" />
      )}
    </Panel>
  );
}
