'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTRPC } from '../trpc/client.tsx';
import { Button } from '../ui/button.tsx';
import { join } from '../ui/join.ts';
import { StateChip } from '../ui/state-chip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Ago, ReadAt } from './ago.tsx';
import { Failed, Nothing, PageHead, Panel } from './panel.tsx';
import { ShortId } from './short-id.tsx';
import type { Reservation } from './types.ts';

const REFRESH_MS = 3000;
const STATES = ['PRE_DEDUCTED', 'CONFIRMED', 'RELEASED', 'EXPIRED'] as const;
type State = (typeof STATES)[number];

function asState(text: string | null): State | undefined {
  return STATES.find((state) => state === text);
}

/** The list's filter lives in the address, so that a link shows the same list. */
export function ReservationsPage() {
  const status = asState(useSearchParams().get('status'));
  const trpc = useTRPC();
  const { data, error, dataUpdatedAt, isRefetchError, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(
      trpc.ops.reservations.infiniteQueryOptions(
        { ...(status && { status }), limit: 60 },
        { getNextPageParam: (page) => page.next ?? undefined, refetchInterval: REFRESH_MS },
      ),
    );
  const rows = data?.pages.flatMap((page) => page.reservations);
  return (
    <>
      <PageHead title="Reservations" />
      <Panel
        title="Newest first"
        aside={<ReadAt at={dataUpdatedAt ? new Date(dataUpdatedAt) : undefined} stale={isRefetchError} />}
      >
        <StatusFilter status={status} />
        {rows ? (
          rows.length === 0 ? (
            <Nothing>No reservation {status ? `is ${status}` : 'yet'}.</Nothing>
          ) : (
            <Rows rows={rows} />
          )
        ) : error ? (
          <Failed error={error} what="Reservations" />
        ) : (
          <Waiting className="h-64 rounded-none" />
        )}
      </Panel>
      {hasNextPage && (
        <Button
          look="quiet"
          size="console"
          className="mt-3"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          Older ones
        </Button>
      )}
    </>
  );
}

function Rows({ rows }: { rows: readonly Reservation[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[46rem] border-collapse text-sm">
        <thead>
          <tr className="h-8 border-b border-line text-left text-xs text-soft [&>th]:px-3 [&>th]:font-medium">
            <th scope="col">reservation</th>
            <th scope="col">state</th>
            <th scope="col">SKU</th>
            <th scope="col" className="text-right">
              units
            </th>
            <th scope="col">order</th>
            <th scope="col">held</th>
            <th scope="col">ended</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.reservationId} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function StatusFilter({ status }: { status: State | undefined }) {
  const tab = (here: boolean) =>
    join(
      'flex h-8 items-center rounded-panel px-2.5 text-sm text-soft hover:text-ink',
      here && 'bg-foam font-medium text-ink',
    );
  return (
    <nav aria-label="Status" className="flex flex-wrap gap-1 border-b border-line px-2 py-1.5">
      <Link href="/ops/reservations" aria-current={status ? undefined : 'page'} className={tab(!status)}>
        All
      </Link>
      {STATES.map((state) => (
        <Link
          key={state}
          href={`/ops/reservations?status=${state}`}
          aria-current={status === state ? 'page' : undefined}
          className={tab(status === state)}
        >
          {state}
        </Link>
      ))}
    </nav>
  );
}

function Row({ row }: { row: Reservation }) {
  return (
    <tr
      data-reservation={row.reservationId}
      className="h-8 border-b border-line/70 last:border-b-0 hover:bg-foam [&>td]:px-3"
    >
      <td className="font-mono text-xs">
        <Link
          href={`/ops/reservations/${row.reservationId}`}
          className="text-kelp underline decoration-kelp/40 underline-offset-4 hover:decoration-kelp"
          title={row.reservationId}
        >
          …{row.reservationId.slice(-8)}
        </Link>
      </td>
      <td>
        <StateChip state={row.status} />
      </td>
      <td className="max-w-56 truncate font-mono text-xs">
        {row.skuId} <span className="font-sans text-soft">{row.shopId}</span>
      </td>
      <td className="figures text-right">{row.quantity}</td>
      <td>{row.tradeId && <ShortId id={row.tradeId} />}</td>
      <td className="text-xs text-soft">
        <Ago at={row.heldAt} />
      </td>
      <td className="text-xs text-soft">
        {(row.confirmedAt ?? row.endedAt) ? (
          <>
            {row.releaseReason && `${row.releaseReason.toLowerCase().replaceAll('_', ' ')}, `}
            <Ago at={row.confirmedAt ?? row.endedAt ?? row.heldAt} />
          </>
        ) : (
          '–'
        )}
      </td>
    </tr>
  );
}
