'use client';
/** One import: what each row would do to the stock of this moment, or has done, and the buttons its state allows. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { whileFound } from '../trpc/while-found.ts';
import { Button } from '../ui/button.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { ReadAt } from './ago.tsx';
import { ImportLines } from './import-lines.tsx';
import { Failed, PageHead, Panel } from './panel.tsx';
import type { ImportReview } from './types.ts';
import { NEEDS_OPERATOR, useOperator } from './use-operator.ts';

const REFRESH_MS = 3000;

export function ImportPage({ importId }: { importId: string }) {
  const trpc = useTRPC();
  const review = useQuery(trpc.ops.stockImport.queryOptions({ importId }, { refetchInterval: whileFound(REFRESH_MS) }));
  const { data, error } = review;
  return (
    <>
      <PageHead title={data ? `Import of ${data.fileName}` : 'Import'} />
      {data ? (
        <>
          <p className="mb-3 text-sm text-soft">
            {data.reason} · {data.actor} · {data.status.toLowerCase()}, {data.applied} of {data.rows} rows booked,{' '}
            {data.refused} refused, {data.undone} undone
          </p>
          <ImportActions importId={importId} status={data.status} />
          <Panel title="Rows" aside={<ReadAt at={data.readAt} stale={review.isRefetchError} />}>
            <ImportLines lines={data.lines} />
          </Panel>
        </>
      ) : error ? (
        <Failed error={error} what="The import" />
      ) : (
        <Waiting className="h-40 rounded-none" />
      )}
    </>
  );
}

function ImportActions({ importId, status }: { importId: string; status: ImportReview['status'] }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const settled = { onSettled: () => queries.invalidateQueries(trpc.ops.pathFilter()) };
  const apply = useMutation(trpc.ops.applyImport.mutationOptions(settled));
  const undo = useMutation(trpc.ops.undoImport.mutationOptions(settled));
  const discard = useMutation(trpc.ops.discardImport.mutationOptions(settled));
  const busy = apply.isPending || undo.isPending || discard.isPending;
  const mayChange = useOperator();
  const button = (words: string, run: () => void, allowed: boolean, why: string) => (
    <Button
      look="quiet"
      size="console"
      disabled={!mayChange || busy || !allowed}
      title={!mayChange ? NEEDS_OPERATOR : allowed ? undefined : why}
      onClick={run}
    >
      {words}
    </Button>
  );
  const problem = apply.error ?? undo.error ?? discard.error;
  const stopped = [apply.data, undo.data].find((progress) => progress?.kind === 'stopped');
  const mayApply = status === 'REVIEW' || status === 'APPLYING';
  const mayUndo = status === 'APPLIED' || status === 'UNDOING';
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      {button(
        status === 'APPLYING' ? 'Go on applying' : 'Apply',
        () => apply.mutate({ importId }),
        mayApply,
        'only after its review',
      )}
      {button(
        status === 'UNDOING' ? 'Go on undoing' : 'Undo',
        () => undo.mutate({ importId }),
        mayUndo,
        'only when it is applied',
      )}
      {button('Discard', () => discard.mutate({ importId }), status === 'REVIEW', 'only before it is applied')}
      {!mayChange && <p className="text-xs text-soft">{NEEDS_OPERATOR}</p>}
      {problem && (
        <p role="alert" className="text-sm text-drift-down">
          {failureOf(problem).message}
        </p>
      )}
      {stopped?.why && (
        <p role="status" className="text-sm text-soft">
          Stopped: {stopped.why} Press again to go on.
        </p>
      )}
    </div>
  );
}
