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
import { Button } from '../ui/button.tsx';
import { Money } from '../ui/money.tsx';
import { Notice } from '../ui/notice.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { sayTimeLeft } from './countdown.tsx';
import type { Payment } from './types.ts';
import { useTimeLeft } from './use-time-left.ts';

const REFRESH_MS = 2000;

export function PayPage({ intentId }: { intentId: string }) {
  const trpc = useTRPC();
  const { data: payment, error } = useQuery(
    trpc.order.payment.queryOptions({ intentId }, { refetchInterval: REFRESH_MS }),
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

function Charge({ payment }: { payment: Payment }) {
  const router = useRouter();
  const left = useTimeLeft(payment.payUntil, payment.serverNow);
  const order = `/orders/${payment.tradeId}`;
  const act = useMutation({
    mutationFn: async (action: 'pay' | 'decline') => {
      const answer = await fetch(`/demo-provider/${payment.intentId}/${action}`, { method: 'POST' });
      if (!answer.ok) throw new Error('The bank could not reach the shop. Please try again.');
    },
    onSuccess: () => router.push(order),
  });
  if (payment.status !== 'PROCESSING')
    return (
      <Notice title="There is nothing to pay here">
        <Link href={order} className="underline">
          Back to the order
        </Link>
      </Notice>
    );
  return (
    <div className="space-y-4">
      {left > 0 ? (
        <p className="figures text-sm text-soft">{sayTimeLeft(left)} left</p>
      ) : (
        <p className="text-sm text-expired">The time for this payment is over; the shop will decide.</p>
      )}
      <Button disabled={act.isPending || act.isSuccess} onClick={() => act.mutate('pay')} className="w-full">
        Pay
      </Button>
      <Button
        look="quiet"
        disabled={act.isPending || act.isSuccess}
        onClick={() => act.mutate('decline')}
        className="w-full"
      >
        Decline
      </Button>
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
