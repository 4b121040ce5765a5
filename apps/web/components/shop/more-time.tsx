'use client';
/** Asks for the one extension of the time to pay (P40). Shown while it has not been used; the server decides. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';

export function MoreTime({ tradeId, extended }: { tradeId: string; extended: boolean }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const extend = useMutation(
    trpc.order.extend.mutationOptions({ onSettled: () => queries.invalidateQueries(trpc.order.pathFilter()) }),
  );
  if (extended) return null;
  return (
    <div className="space-y-2 text-center">
      <Button
        look="text"
        size="bare"
        disabled={extend.isPending || extend.isSuccess}
        onClick={() => extend.mutate({ tradeId })}
        className="text-sm text-soft"
      >
        I need more time
      </Button>
      {extend.isError && (
        <p role="alert" className="text-sm text-held">
          {failureOf(extend.error).message}
        </p>
      )}
    </div>
  );
}
