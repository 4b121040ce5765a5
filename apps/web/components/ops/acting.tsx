'use client';
import { failureOf } from '../trpc/failure-of.ts';
import { Button } from '../ui/button.tsx';

/** Why the operator acts; nothing can be done before it is said. */
export interface By {
  readonly reason: string;
  readonly ready: boolean;
}

interface ActionProps {
  readonly by: By;
  readonly children: string;
  /** The mutation that the button starts. */
  readonly of: { readonly isPending: boolean };
  readonly onClick: () => void;
}

export function Action({ by, children, of: { isPending }, onClick }: ActionProps) {
  return (
    <Button
      look="quiet"
      size="console"
      disabled={!by.ready || isPending}
      title={by.ready ? undefined : 'say why first'}
      onClick={onClick}
    >
      {children}
    </Button>
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
