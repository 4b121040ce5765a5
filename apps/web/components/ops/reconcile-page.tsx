'use client';
/** The last reconcile runs with what each found, from `ops.reconcileRuns`; an operator may start one by hand. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago } from './ago.tsx';
import { Findings } from './findings.tsx';
import { Failed, Nothing, PageHead, Panel } from './panel.tsx';
import type { ReconcileRun } from './types.ts';

const REFRESH_MS = 5000;

export function ReconcilePage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const runs = useQuery(trpc.ops.reconcileRuns.queryOptions(undefined, { refetchInterval: REFRESH_MS }));
  const { data: me } = useQuery(trpc.ops.signedIn.queryOptions());
  const run = useMutation(
    trpc.ops.runReconcile.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.ops.reconcileRuns.queryFilter()),
    }),
  );
  const mayRun = me?.role === 'operator' || me?.role === 'admin';
  return (
    <>
      <PageHead title="Reconcile">
        <Button
          look="quiet"
          size="console"
          disabled={!mayRun || run.isPending}
          title={mayRun ? undefined : 'needs the role operator'}
          onClick={() => run.mutate()}
        >
          {run.isPending ? 'Comparing' : 'Run now'}
        </Button>
      </PageHead>
      <p className="measure mb-4 text-sm text-soft">
        A run reads the gate, the ledger, and the gate again, compares hold by hold, and repairs what it may. It never
        writes a counter blindly.
      </p>
      {run.isError && (
        <p role="alert" className="mb-3 text-sm text-drift-down">
          {failureOf(run.error).message}
        </p>
      )}
      <Panel title="Runs, newest first">
        {runs.data ? (
          runs.data.length === 0 ? (
            <Nothing>No run yet.</Nothing>
          ) : (
            <RunsTable runs={runs.data} />
          )
        ) : runs.error ? (
          <Failed error={runs.error} what="Runs" />
        ) : (
          <Waiting className="h-40 rounded-none" />
        )}
      </Panel>
    </>
  );
}

function RunsTable({ runs }: { runs: readonly ReconcileRun[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[44rem] border-collapse text-sm">
        <thead>
          <tr className="h-8 border-b border-line text-left text-xs text-soft [&>th]:px-3 [&>th]:font-medium">
            <th scope="col">when</th>
            <th scope="col">by</th>
            <th scope="col">found</th>
            <th scope="col" className="text-right">
              in flight
            </th>
            <th scope="col" className="text-right">
              unexplained
            </th>
            <th scope="col" className="text-right">
              re-installed
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRows key={run.runId} run={run} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRows({ run }: { run: ReconcileRun }) {
  const { runId, at, actor, cause, summary, findings } = run;
  return (
    <>
      <tr data-run={runId} className="h-8 border-b border-line/70 hover:bg-foam [&>td]:px-3">
        <td className="text-xs text-soft">
          <Ago at={at} />
        </td>
        <td className="max-w-48 truncate text-xs">{actor}</td>
        <td>{cause}</td>
        <td className="figures text-right">{summary.explained}</td>
        <td
          className={
            summary.unexplained === 0 ? 'figures text-right' : 'figures text-right font-semibold text-drift-down'
          }
        >
          {summary.unexplained}
        </td>
        <td className="figures text-right">{summary.reinstalled}</td>
      </tr>
      {findings.length > 0 && (
        <tr className="border-b border-line/70">
          <td colSpan={6} className="px-3">
            <Findings findings={findings} />
          </td>
        </tr>
      )}
    </>
  );
}
