'use client';
/** One reservation: what the books say of it and its history on a rail, both from `ops.reservation`. */
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { whileFound } from '../trpc/while-found.ts';
import { formatMoney } from '../ui/money.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Failed, Nothing, PageHead, Panel } from './panel.tsx';
import { ShortId } from './short-id.tsx';
import { Timeline } from './timeline.tsx';
import { stepsOf } from './timeline-steps.ts';
import type { ReservationDetail } from './types.ts';

const REFRESH_MS = 2000;

export function ReservationPage({ reservationId }: { reservationId: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(
    trpc.ops.reservation.queryOptions({ reservationId }, { refetchInterval: whileFound(REFRESH_MS) }),
  );
  if (!data)
    return error ? (
      <Panel title="Reservation">
        <Failed error={error} what="The reservation" />
      </Panel>
    ) : (
      <Waiting className="h-80 rounded-none" />
    );
  const { reservation } = data;
  const steps = stepsOf(data);
  return (
    <>
      <PageHead title="Reservation">
        <Link href="/ops/reservations" className="text-sm text-soft underline underline-offset-4">
          All reservations
        </Link>
      </PageHead>
      <div className="grid items-start gap-4 xl:grid-cols-[20rem_minmax(0,1fr)]">
        <Panel
          title="What the books say"
          aside={
            reservation ? <StateChip state={reservation.status} /> : <StateChip state="PENDING" word="not recorded" />
          }
        >
          <Facts id={reservationId} detail={data} />
        </Panel>
        <Panel title="Timeline">
          {steps.length === 0 ? <Nothing>Nothing has happened to it yet.</Nothing> : <Timeline steps={steps} />}
        </Panel>
      </div>
    </>
  );
}

function Facts({ id, detail }: { id: string; detail: ReservationDetail }) {
  const { reservation, line, trade } = detail;
  return (
    <dl className="divide-y divide-line/70">
      <Fact name="reservation">
        <ShortId id={id} />
      </Fact>
      {reservation && (
        <Fact name="SKU">
          <span className="font-mono text-xs">{reservation.skuId}</span>
        </Fact>
      )}
      {reservation && <Fact name="shop">{reservation.shopId}</Fact>}
      {reservation && <Fact name="units">{reservation.quantity}</Fact>}
      {line && (
        <Fact name="line">
          {line.state.toLowerCase()}, attempt {line.attempt}
        </Fact>
      )}
      {trade && (
        <Fact name="trade">
          <ShortId id={trade.tradeId} href={`/ops/orders/${trade.tradeId}`} />
        </Fact>
      )}
      {trade && (
        <Fact name="trade state">
          <StateChip state={trade.status} />
        </Fact>
      )}
      {trade?.shopOrderStatus && (
        <Fact name="shop order">
          <StateChip state={trade.shopOrderStatus} />
        </Fact>
      )}
      {trade && <Fact name="amount">{formatMoney(trade.totalMinor, trade.currency)}</Fact>}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex h-8 items-center justify-between gap-4 px-3 text-sm">
      <dt className="text-xs text-soft">{name}</dt>
      <dd className="figures min-w-0 truncate">{children}</dd>
    </div>
  );
}
