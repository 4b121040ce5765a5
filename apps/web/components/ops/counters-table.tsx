'use client';
/**
 * The two books left and right of one axis, SKU by SKU, from `ops.counters`, which reads both for this request.
 * Unknown figures are dashes on a hatched ground, never zero.
 */
import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ComponentProps } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { join } from '../ui/join.ts';
import { Waiting } from '../ui/waiting.tsx';
import { ReadAt } from './ago.tsx';
import { Difference } from './difference.tsx';
import { explainAddress, FIGURE_WORDS, type FigureName } from './explain-address.ts';
import { FilterTabs } from './filter-tabs.tsx';
import { ModeSwitch } from './mode-switch.tsx';
import { MoreButton } from './more-button.tsx';
import { Failed, Nothing, Panel } from './panel.tsx';
import { refreshPages } from './refresh-pages.ts';
import type { Counter } from './types.ts';

const REFRESH_MS = 2000;
const NUMBER = 'figures px-2.5 text-right';
const HEAD = 'h-8 px-2.5 text-right text-xs font-medium text-soft';

interface CountersTableProps {
  /** Rows a page. */
  readonly limit: number;
  readonly title: string;
  readonly driftedOnly?: boolean;
  /** The list's filter. With it the list goes on beyond its first page; without it the rest is a page elsewhere. */
  readonly tabs?: ComponentProps<typeof FilterTabs>['tabs'];
}

export function CountersTable({ limit, title, driftedOnly = false, tabs }: CountersTableProps) {
  const trpc = useTRPC();
  const list = useInfiniteQuery(
    trpc.ops.counters.infiniteQueryOptions(
      { limit, driftedOnly },
      {
        getNextPageParam: (page) => page.next ?? undefined,
        refetchInterval: refreshPages(REFRESH_MS),
        placeholderData: (before) => before,
      },
    ),
  );
  const counters = list.data?.pages.flatMap((page) => page.counters);
  // An empty list was read too, and has no row to say when.
  const readAt = counters?.[0]?.readAt ?? (list.dataUpdatedAt ? new Date(list.dataUpdatedAt) : undefined);
  return (
    <>
      <Panel title={title} aside={<ReadAt at={readAt} stale={list.isRefetchError} />}>
        {tabs && <FilterTabs label="Which SKUs" tabs={tabs} />}
        {counters ? (
          counters.length === 0 ? (
            <Nothing>{nothing(driftedOnly, list.hasNextPage)}</Nothing>
          ) : (
            <Rows counters={counters} />
          )
        ) : list.error ? (
          <Failed error={list.error} what="Counters" />
        ) : (
          <Waiting className="h-64 rounded-none" />
        )}
      </Panel>
      {tabs && <MoreButton of={list}>More SKUs</MoreButton>}
    </>
  );
}

/** A search for differences reads some SKUs at a time, so an empty page is not yet an empty list. */
function nothing(driftedOnly: boolean, goesOn: boolean): string {
  if (!driftedOnly) return 'No stock is kept yet.';
  return goesOn ? 'Nothing differs so far.' : 'Nothing differs.';
}

function Rows({ counters }: { counters: readonly Counter[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[56rem] border-collapse text-sm">
        <Head />
        <tbody>
          {counters.map((counter) => (
            <CounterRow key={`${counter.shopId}/${counter.skuId}`} counter={counter} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head() {
  return (
    <thead>
      <tr className="border-b border-line text-xs">
        <th scope="col" rowSpan={2} className="sticky left-0 z-10 bg-sheet px-3 text-left font-medium text-soft">
          SKU
        </th>
        <th scope="colgroup" colSpan={4} className="h-7 bg-foam px-2.5 text-right font-semibold">
          Gate, Redis
        </th>
        <th scope="col" rowSpan={2} className="w-56 px-2.5 text-center font-medium text-soft">
          Difference
        </th>
        <th scope="colgroup" colSpan={4} className="h-7 bg-foam px-2.5 text-left font-semibold">
          Ledger, PostgreSQL
        </th>
        <th scope="col" rowSpan={2} className="px-2.5 text-left font-medium text-soft">
          Sold at
        </th>
      </tr>
      <tr className="border-b border-line">
        <th scope="col" className={HEAD}>
          free
        </th>
        <th scope="col" className={HEAD}>
          holds
        </th>
        <th scope="col" className={HEAD} title="T: units the gate may hand out over its life">
          T
        </th>
        <th scope="col" className={HEAD} title="D: units handed out, paid or held">
          D
        </th>
        <th scope="col" className={HEAD} title="confirmed + units of live holds">
          D
        </th>
        <th scope="col" className={HEAD} title="on hand + confirmed">
          T
        </th>
        <th scope="col" className={HEAD}>
          confirmed
        </th>
        <th scope="col" className={HEAD} title="units of PRE_DEDUCTED rows">
          held
        </th>
      </tr>
    </thead>
  );
}

function CounterRow({ counter }: { counter: Counter }) {
  const { gate, expected, inFlight, unexplained } = counter;
  const read = gate.kind === 'read' ? gate : undefined;
  // A SKU that is sold at the ledger has no figures at the gate; that is not the same as not knowing them.
  const gateCell = join(NUMBER, !read && 'text-soft', !read && counter.mode === 'REDIS' && 'hatched');
  return (
    <tr
      className="h-8 border-b border-line/70 last:border-b-0 hover:bg-foam"
      data-sku={counter.skuId}
      data-shop={counter.shopId}
      data-mode={counter.mode}
      data-free={read?.free}
      data-gate-deducted={read?.deducted}
      data-ledger-deducted={expected?.deducted}
      data-in-flight={inFlight ?? 'unknown'}
      data-unexplained={unexplained ?? 'unknown'}
    >
      <th
        scope="row"
        className="sticky left-0 z-10 max-w-40 truncate bg-sheet px-3 sm:max-w-64 text-left font-normal"
        title={`${counter.shopId} · ${counter.skuId}`}
      >
        <span className="font-mono text-xs">{counter.skuId}</span>{' '}
        <span className="hidden text-xs text-soft sm:inline">{counter.shopId}</span>
      </th>
      <td className={join(gateCell, 'font-semibold')} title={gate.kind === 'unknown' ? gate.why : undefined}>
        <Explained of={counter} figure="free" value={read?.free} />
      </td>
      <td className={gateCell}>{read?.holds ?? '–'}</td>
      <td className={gateCell}>
        <Explained of={counter} figure="total" value={read?.total} />
      </td>
      <td className={gateCell}>
        <Explained of={counter} figure="deducted" value={read?.deducted} />
      </td>
      <td className="px-2.5">
        <Between of={counter} />
      </td>
      <LedgerCells of={counter} />
      <td className="px-2.5">
        <ModeSwitch shopId={counter.shopId} skuId={counter.skuId} mode={counter.mode} />
      </td>
    </tr>
  );
}

function Between({ of: { shopId, skuId, mode, inFlight, unexplained } }: { of: Counter }) {
  if (mode !== 'REDIS') return <span className="block text-center text-xs text-soft">{mode.toLowerCase()}</span>;
  return (
    <Link
      href={explainAddress({ shopId, skuId, figure: unexplained ? 'drift' : 'inFlight' })}
      aria-label={`Explain the difference of ${skuId}`}
    >
      <Difference inFlight={inFlight} unexplained={unexplained} />
    </Link>
  );
}

function LedgerCells({ of }: { of: Counter }) {
  const { expected, ledger } = of;
  const cells = [
    ['ledgerDeducted', expected?.deducted],
    ['ledgerTotal', expected?.total ?? ledger.capacity],
    ['confirmedQuantity', ledger.confirmed],
    ['reservedQuantity', ledger.reserved],
  ] as const;
  return cells.map(([figure, value]) => (
    <td key={figure} className={NUMBER}>
      <Explained of={of} figure={figure} value={value} />
    </td>
  ));
}

/** A figure that leads to the rows it is made of; what is not known leads nowhere. */
function Explained({ of, figure, value }: { of: Counter; figure: FigureName; value: number | undefined }) {
  if (value === undefined) return '–';
  return (
    <Link
      href={explainAddress({ shopId: of.shopId, skuId: of.skuId, figure })}
      aria-label={`Explain ${FIGURE_WORDS[figure].name} of ${of.skuId}: ${value}`}
      className="decoration-line-strong underline-offset-4 hover:text-kelp hover:underline focus-visible:underline"
    >
      {value}
    </Link>
  );
}
