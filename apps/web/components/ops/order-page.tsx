'use client';
/** One order: its shop orders, money and returns from `ops.order`, with the actions that its state allows. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../trpc/client.tsx';
import { whileFound } from '../trpc/while-found.ts';
import { formatMoney } from '../ui/money.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { TextField } from '../ui/text-field.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { OrderMoney } from './order-money.tsx';
import { OrderReturns } from './order-returns.tsx';
import { OrderWhole } from './order-whole.tsx';
import { Failed, PageHead, Panel } from './panel.tsx';
import { ShopOrderPanel } from './shop-order-panel.tsx';
import { ShortId } from './short-id.tsx';

const REFRESH_MS = 2000;

export function OrderPage({ tradeId }: { tradeId: string }) {
  const trpc = useTRPC();
  const [reason, setReason] = useState('');
  const { data: me } = useQuery(trpc.ops.signedIn.queryOptions());
  const { data: order, error } = useQuery(
    trpc.ops.order.queryOptions({ tradeId }, { refetchInterval: whileFound(REFRESH_MS) }),
  );
  if (!order)
    return error ? (
      <Panel title="Order">
        <Failed error={error} what="The order" />
      </Panel>
    ) : (
      <Waiting className="h-80 rounded-none" />
    );
  const mayAct = me?.role === 'operator' || me?.role === 'admin';
  const act = { order, reason, mayAct };
  return (
    <>
      <PageHead title="Order">
        <span className="flex items-center gap-3 text-sm">
          <ShortId id={order.id} />
          <span className="figures">{formatMoney(order.totalMinor, order.currency)}</span>
          <StateChip state={order.status} />
        </span>
      </PageHead>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="space-y-4">
          {order.shopOrders.map((shopOrder) => (
            <ShopOrderPanel key={shopOrder.id} {...act} shopOrder={shopOrder} />
          ))}
          <OrderReturns {...act} />
        </div>
        <div className="space-y-4">
          <Panel title="Reason">
            <TextField
              look="console"
              label="Why (goes into the audit log with each action)"
              name="reason"
              value={reason}
              maxLength={500}
              onChange={(event) => setReason(event.currentTarget.value)}
              className="p-3"
            />
          </Panel>
          <OrderWhole {...act} />
          <OrderMoney order={order} />
        </div>
      </div>
    </>
  );
}
