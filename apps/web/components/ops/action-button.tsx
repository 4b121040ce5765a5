'use client';
/** A button of the order page: off, with the sentence that says why, whenever the server would refuse it (C25). */
import { Button } from '../ui/button.tsx';
import type { ConsoleOrder } from './types.ts';

export interface OrderActing {
  readonly order: ConsoleOrder;
  readonly reason: string;
  readonly mayAct: boolean;
}

interface ActionButtonProps {
  readonly name: string;
  readonly acting: Pick<OrderActing, 'reason' | 'mayAct'>;
  /** Why the state forbids it; null when it does not. */
  readonly refused: string | null;
  readonly busy: boolean;
  readonly onClick: () => void;
  readonly look?: 'quiet' | 'danger';
  readonly needsReason?: 'no';
}

export function ActionButton({ name, acting, refused, busy, onClick, look = 'quiet', needsReason }: ActionButtonProps) {
  const noReason = needsReason !== 'no' && acting.reason.trim() === '' ? 'Say why first.' : null;
  const why = acting.mayAct ? (refused ?? noReason) : 'needs the role operator';
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Button look={look} size="console" disabled={why !== null || busy} title={why ?? undefined} onClick={onClick}>
        {name}
      </Button>
      {why && <span className="text-xs text-soft">{why}</span>}
    </span>
  );
}
