'use client';
/** Runs, findings and repairs, newest first, from `ops.reconcileLog`; the address says which ones and which is open. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useTRPC } from '../trpc/client.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { ReadAt } from './ago.tsx';
import { FilterTabs } from './filter-tabs.tsx';
import { MoreButton } from './more-button.tsx';
import { Failed, Nothing, Panel } from './panel.tsx';
import { LOG_KINDS, type LogFilter, logAddress, readLogFilter } from './reconcile-filter.ts';
import { ReconcileFilterBar } from './reconcile-filter-bar.tsx';
import { ReconcileLogRow } from './reconcile-log-row.tsx';
import { refreshPages } from './refresh-pages.ts';

const REFRESH_MS = 4000;
const ROWS_A_PAGE = 50;
const NAMES = { RUN: 'Runs', FINDING: 'Findings', REPAIR: 'Repairs' } as const;

export function ReconcileLog() {
  const filter = readLogFilter(useSearchParams());
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.ops.reconcileLog.infiniteQueryOptions(
      { ...queryOf(filter), limit: ROWS_A_PAGE },
      { getNextPageParam: (page) => page.next ?? undefined, refetchInterval: refreshPages(REFRESH_MS) },
    ),
  );
  const { error, dataUpdatedAt, isRefetchError } = list;
  const entries = list.data?.pages.flatMap((page) => page.entries);
  return (
    <div className="min-w-0">
      <Panel
        title="Newest first"
        aside={<ReadAt at={dataUpdatedAt ? new Date(dataUpdatedAt) : undefined} stale={isRefetchError} />}
      >
        <FilterTabs label="Kind of entry" tabs={tabsOf(filter)} />
        <ReconcileFilterBar filter={filter} />
        {entries ? (
          entries.length === 0 ? (
            <Nothing>{logAddress(filter) === '/ops/reconcile' ? 'No run yet.' : 'No entry is like that.'}</Nothing>
          ) : (
            <ol>
              {entries.map((entry) => (
                <ReconcileLogRow key={entry.id} entry={entry} filter={filter} />
              ))}
            </ol>
          )
        ) : error ? (
          <Failed error={error} what="The log" />
        ) : (
          <Waiting className="h-64 rounded-none" />
        )}
      </Panel>
      <MoreButton of={list}>Older ones</MoreButton>
    </div>
  );
}

function tabsOf({ kind, entry: _entry, ...rest }: LogFilter) {
  return [
    { name: 'All', href: logAddress(rest), here: kind === undefined },
    ...LOG_KINDS.map((one) => ({ name: NAMES[one], href: logAddress({ ...rest, kind: one }), here: kind === one })),
  ];
}

/** The same in the server's names. */
function queryOf({ kind, shop, sku, cause, run }: LogFilter) {
  return {
    ...(kind && { kind }),
    ...(shop && { shopId: shop }),
    ...(sku && { skuId: sku }),
    ...(cause && { cause }),
    ...(run && { runId: run }),
  };
}
