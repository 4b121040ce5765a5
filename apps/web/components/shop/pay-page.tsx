'use client';
/**
 * The demo provider's own page: it only sends the shop a signed notice, as a real provider would. What is to be paid
 * comes from `order.payment`.
 */
import { useMutation, useQuery } from '@tanstack/react-query';
import { Landmark } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { whileFound } from '../trpc/while-found.ts';
import { Button } from '../ui/button.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { sayTimeLeft } from './countdown.tsx';
import { MoreTime } from './more-time.tsx';
import type { Payment } from './types.ts';
import { useTimeLeft } from './use-time-left.ts';

const REFRESH_MS = 2000;

export function PayPage({ intentId }: { intentId: string }) {
  const trpc = useTRPC();
  const { data: payment, error } = useQuery(
    trpc.order.payment.queryOptions({ intentId }, { refetchInterval: whileFound(REFRESH_MS) }),
  );
  if (!payment && error)
    return (
      <Notice look="wrong" title="This payment is not known">
        {failureOf(error).message}
      </Notice>
    );
  if (!payment) return <Waiting className="h-72" />;
  return (
    <div className="space-y-6 rounded-shop border border-line bg-sheet p-7 shadow-soft">
      <p className="flex items-center gap-2 text-sm font-medium text-soft">
        <Landmark size={16} aria-hidden="true" /> Harbour Bank
      </p>
      <div>
        <p className="text-sm text-soft">To Holdfast</p>
        <p className="text-2xl font-semibold">
          <Money minor={payment.amountMinor} currency={payment.currency} />
        </p>
      </div>
      <Charge payment={payment} />
      <p className="border-t border-line pt-4 text-xs text-soft">
        This is a demo provider: no money moves. It tells the shop by a signed notice what you chose.
      </p>
    </div>
  );
}

type Action = 'pay' | 'decline' | 'pay-late' | 'pay-twice' | 'pay-wrong-amount';

/** What else can go wrong with a payment, to be tried out. */
const ODD_ACTIONS: readonly (readonly [Action, string])[] = [
  ['pay-late', 'Pay, and tell the shop after the time is over'],
  ['pay-twice', 'Pay twice'],
  ['pay-wrong-amount', 'Pay a cent too much'],
];

function Charge({ payment }: { payment: Payment }) {
  const router = useRouter();
  const order = `/orders/${payment.tradeId}`;
  const act = useMutation({
    mutationFn: async (action: Action) => {
      const answer = await fetch(`/demo-provider/${payment.intentId}/${action}`, { method: 'POST' });
      if (!answer.ok) throw new Error('The bank did not take this payment. Please try again.');
    },
    onSuccess: () => router.push(order),
  });
  const busy = act.isPending || act.isSuccess;
  if (payment.status !== 'PROCESSING')
    return <NothingToPay payment={payment} order={order} busy={busy} act={act.mutate} />;
  return (
    <div className="space-y-4">
      <TimeLeft payment={payment} />
      <Button disabled={busy} onClick={() => act.mutate('pay')} className="w-full">
        Pay
      </Button>
      <Button look="quiet" disabled={busy} onClick={() => act.mutate('decline')} className="w-full">
        Decline
      </Button>
      <div className="space-y-1 text-center text-sm">
        {ODD_ACTIONS.map(([action, words]) => (
          <Button
            key={action}
            look="text"
            size="bare"
            disabled={busy}
            onClick={() => act.mutate(action)}
            className="w-full text-soft"
          >
            {words}
          </Button>
        ))}
      </div>
      <p className="text-center text-sm">
        <Link href={order} className="text-soft underline underline-offset-4">
          Back to the shop without paying
        </Link>
      </p>
      {act.isError && (
        <Notice look="wrong" title="Not sent">
          {act.error.message}
        </Notice>
      )}
    </div>
  );
}

function TimeLeft({ payment }: { payment: Payment }) {
  const left = useTimeLeft(payment.payUntil, payment.serverNow);
  if (left <= 0)
    return <p className="text-sm text-expired">The time for this payment is over; the shop will decide.</p>;
  return (
    <div className="flex items-baseline justify-between gap-4">
      <p className="figures text-sm text-soft">{sayTimeLeft(left)} left</p>
      <MoreTime tradeId={payment.tradeId} extended={payment.extended} />
    </div>
  );
}

/** A bank takes money also for an order that the shop has closed: that is late money. */
function NothingToPay(props: { payment: Payment; order: string; busy: boolean; act: (action: Action) => void }) {
  return (
    <div className="space-y-4">
      <Notice title="There is nothing to pay here">
        <Link href={props.order} className="underline">
          Back to the order
        </Link>
      </Notice>
      {props.payment.status === 'CLOSED' && (
        <Button look="quiet" disabled={props.busy} onClick={() => props.act('pay')} className="w-full">
          Pay all the same, too late
        </Button>
      )}
    </div>
  );
}
