/** Money that went back, or is on its way, with its reason. */
import { formatMoney } from '../ui/money.tsx';
import { StateChip } from '../ui/state-chip.tsx';
import { Nothing, Panel } from './panel.tsx';
import type { ConsoleOrder } from './types.ts';

export function OrderMoney({ order }: { order: ConsoleOrder }) {
  const { refunds } = order.afterSale;
  return (
    <Panel
      title="Money given back"
      aside={<span className="text-xs text-soft">payment {order.payment.status.toLowerCase()}</span>}
    >
      {refunds.length === 0 ? (
        <Nothing>None.</Nothing>
      ) : (
        <ul className="divide-y divide-line/70">
          {refunds.map((refund) => (
            <li key={refund.id} className="space-y-1 px-3 py-2 text-sm">
              <p className="flex items-center justify-between gap-3">
                <span className="figures font-medium">{formatMoney(refund.amountMinor, refund.currency)}</span>
                <StateChip state={refund.status} word={refund.status.toLowerCase()} />
              </p>
              <p className="text-xs text-soft">
                {refund.reason} · {refund.actor}
              </p>
              {refund.failure && <p className="text-xs text-drift-down">{refund.failure}</p>}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
