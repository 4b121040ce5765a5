import type { ReactNode } from 'react';
import { failureOf } from '../trpc/failure-of.ts';

interface PanelProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section className="min-w-0 border border-line bg-sheet">
      <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-b border-line px-3 py-1.5">
        <h2 className="text-sm font-semibold">{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
      <h1 className="text-lg font-semibold">{title}</h1>
      {children}
    </div>
  );
}

/** One panel failed; the others go on (C63). */
export function Failed({ error, what }: { error: unknown; what: string }) {
  return (
    <p role="alert" className="px-3 py-2.5 text-sm text-drift-down">
      {what} could not be read: {failureOf(error).message}
    </p>
  );
}

export function Nothing({ children }: { children: ReactNode }) {
  return <p className="px-3 py-6 text-center text-sm text-soft">{children}</p>;
}
