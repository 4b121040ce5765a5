'use client';
/** Sends one change by hand. A recount goes with the version of the stock that stood on the screen (C08). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';

export type Action = 'receive' | 'writeOff' | 'recount';
export interface StockFields {
  readonly shopId: string;
  readonly skuId: string;
  readonly units: string;
  readonly reason: string;
}

export function useStockChange(action: Action, fields: StockFields, onBooked: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  // One id for one change: pressing twice, or again after a lost answer, books it once.
  const [operationId, setOperationId] = useState(() => crypto.randomUUID());
  const { shopId, skuId, units, reason } = fields;
  const named = shopId !== '' && skuId !== '';
  const stock = useQuery(trpc.ops.stock.queryOptions({ shopId, skuId }, { enabled: named, retry: false }));
  const onSuccess = () => {
    setOperationId(crypto.randomUUID());
    onBooked();
    return queries.invalidateQueries(trpc.ops.pathFilter());
  };
  const receive = useMutation(trpc.ops.receive.mutationOptions({ onSuccess }));
  const writeOff = useMutation(trpc.ops.writeOff.mutationOptions({ onSuccess }));
  const recount = useMutation(trpc.ops.recount.mutationOptions({ onSuccess, onError: () => stock.refetch() }));
  const send = () => {
    const quantity = units.trim() === '' ? Number.NaN : Number(units);
    const change = { operationId, shopId, skuId, reason };
    if (action === 'receive') receive.mutate({ ...change, quantity });
    else if (action === 'writeOff') writeOff.mutate({ ...change, quantity });
    else if (stock.data) recount.mutate({ ...change, counted: quantity, expectedVersion: stock.data.version });
  };
  return { run: { receive, writeOff, recount }[action], stock: stock.data, missing: named && stock.isError, send };
}
