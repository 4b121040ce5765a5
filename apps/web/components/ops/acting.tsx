'use client';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';

/** Why the operator acts; nothing can be done before it is said. */
export interface By {
  readonly reason: string;
  /** Why nothing can be done now; undefined when it can. */
  readonly off: string | undefined;
}

/** A line with a count, what it is about, and its action: below each other on a phone. */
export const ROW =
  'grid grid-cols-[2rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-1 px-3 py-2 text-sm [&>:last-child]:col-start-2 sm:flex sm:items-center sm:gap-x-4';

interface ActionProps {
  readonly by: By;
  readonly children: string;
  /** The mutation that the button starts. */
  readonly of: { readonly isPending: boolean };
  readonly onClick: () => void;
}

export function Action({ by, children, of: { isPending }, onClick }: ActionProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <Button look="quiet" size="console" disabled={by.off !== undefined || isPending} onClick={onClick}>
        {children}
      </Button>
      {by.off && <span className="text-xs text-soft">{by.off}</span>}
    </span>
  );
}

export function ActionFailed({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p role="alert" className="px-3 py-2 text-sm text-drift-down">
      {failureOf(error).message}
    </p>
  );
}
