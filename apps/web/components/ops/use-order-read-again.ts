'use client';
/** Whatever an action answers, the order is read again: the server alone knows what became of it. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mintKey } from '../shop/attempt.ts';
import { useTRPC } from '../trpc/client.tsx';

export function useOrderReadAgain(): () => Promise<void> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () => queries.invalidateQueries(trpc.ops.order.queryFilter());
}

/** One key for each refund that is meant: kept over repeats, renewed once it went through. */
export function useRefundKey(): { readonly key: string; renew(): void } {
  const [key, setKey] = useState(mintKey);
  return { key, renew: () => setKey(mintKey()) };
}
