'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { MoreTime } from './more-time.tsx';
import type { Order } from './types.ts';
import { UnderThumb } from './under-thumb.tsx';

/** Pay and cancel. The server alone decides; whatever it answers, the order is read again. */
export function OrderActions({ order }: { order: Order }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const readAgain = async () => {
    await queries.invalidateQueries(trpc.order.pathFilter());
    await queries.invalidateQueries(trpc.cart.pathFilter());
  };
  const pay = useMutation(
    trpc.order.startPayment.mutationOptions({
      onSuccess: ({ payUrl }) => window.location.assign(payUrl),
      onError: readAgain,
    }),
  );
  const cancel = useMutation(trpc.order.cancel.mutationOptions({ onSettled: readAgain }));
  if (order.status !== 'UNPAID') return null;
  const problem = pay.error ?? cancel.error;
  return (
    <>
      <UnderThumb>
        <Button
          disabled={pay.isPending || pay.isSuccess || cancel.isPending}
          onClick={() => pay.mutate({ tradeId: order.id })}
          className="w-full"
        >
          {order.payment.status === 'FAILED' ? 'Try to pay again' : 'Pay now'}
        </Button>
      </UnderThumb>
      <MoreTime tradeId={order.id} extended={order.extended} />
      <Button
        look="text"
        size="bare"
        disabled={pay.isPending || cancel.isPending}
        onClick={() => cancel.mutate({ tradeId: order.id })}
        className="w-full text-sm text-soft"
      >
        Cancel this order
      </Button>
      {problem && (
        <Notice look="wrong" title="That did not work">
          {failureOf(problem).message}
        </Notice>
      )}
    </>
  );
}
