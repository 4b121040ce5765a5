import { join } from './join.ts';

/** A state has one colour and one shape everywhere, and always its word. */
const LOOKS: Record<string, { tone: string; mark: string }> = {
  PENDING: { tone: 'text-held bg-held-wash', mark: 'hatched' },
  PRE_DEDUCTED: { tone: 'text-held bg-held-wash', mark: 'border-2 border-current rounded-full' },
  CONFIRMED: { tone: 'text-confirmed bg-confirmed-wash', mark: 'bg-current rounded-full' },
  RELEASED: { tone: 'text-released bg-released-wash', mark: 'bg-current h-0.5' },
  EXPIRED: { tone: 'text-expired bg-expired-wash', mark: 'bg-current rotate-45' },
};
const OF_OTHERS: Record<string, string> = {
  UNPAID: 'PRE_DEDUCTED',
  PAID_PENDING: 'PENDING',
  PAID: 'CONFIRMED',
  SHIPPED: 'CONFIRMED',
  RECEIVED: 'CONFIRMED',
  CLOSED: 'RELEASED',
  REFUNDED: 'RELEASED',
  RESERVING: 'PENDING',
  RESERVED: 'PRE_DEDUCTED',
  CONFIRMING: 'PENDING',
  RELEASING: 'PENDING',
  SENT: 'CONFIRMED',
  APPLIED: 'CONFIRMED',
  PARKED: 'EXPIRED',
  DONE: 'CONFIRMED',
  REQUESTED: 'PENDING',
  SUCCEEDED: 'CONFIRMED',
  FAILED: 'EXPIRED',
  DEAD: 'EXPIRED',
  RETRYING: 'PENDING',
  RESOLVED: 'CONFIRMED',
  DISCARDED: 'RELEASED',
};

export function StateChip({
  state,
  word,
  className,
}: {
  state: string;
  word?: string | undefined;
  className?: string;
}) {
  const look = LOOKS[state] ?? LOOKS[OF_OTHERS[state] ?? ''] ?? { tone: 'text-soft bg-foam', mark: 'bg-current' };
  return (
    <span
      data-state={state}
      title={word ? state : undefined}
      className={join(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2 py-0.5 text-xs font-medium',
        look.tone,
        className,
      )}
    >
      <span aria-hidden="true" className={join('size-1.5 shrink-0', look.mark)} />
      {word ?? state}
    </span>
  );
}
