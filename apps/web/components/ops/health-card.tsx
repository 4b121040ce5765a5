import Link from 'next/link';
import type { ReactNode } from 'react';
import { join } from '../ui/join.ts';
import { Waiting } from '../ui/waiting.tsx';
import { Failed } from './panel.tsx';

export type Calm = 'good' | 'look' | 'act';
const MARKS: Record<Calm, string> = { good: 'rounded-full bg-kelp', look: 'rotate-45 bg-held', act: 'bg-drift-down' };
const WORDS: Record<Calm, string> = { good: 'in order', look: 'have a look', act: 'needs a person' };

interface HealthCardProps {
  readonly name: string;
  readonly href: string;
  readonly error: unknown;
  readonly state: { readonly calm: Calm; readonly sentence: ReactNode; readonly detail?: ReactNode } | undefined;
}

/** A sentence that is true now; coloured only when a person should look. */
export function HealthCard({ name, href, error, state }: HealthCardProps) {
  const calm = state?.calm ?? 'good';
  return (
    <Link
      href={href}
      className={join(
        'flex min-h-24 flex-col gap-1.5 border bg-sheet px-3.5 py-3 hover:border-line-strong',
        calm === 'good' && 'border-line',
        calm === 'look' && 'border-held/60 bg-held-wash',
        calm === 'act' && 'border-drift-down/60 bg-drift-down-wash',
      )}
    >
      <span className="flex items-center gap-2 text-xs text-soft">
        <span aria-hidden="true" className={join('size-2', MARKS[calm])} />
        {name}
        {state && calm !== 'good' && <span className="ml-auto font-medium text-ink">{WORDS[calm]}</span>}
      </span>
      {state ? (
        <span className="figures text-sm font-medium leading-snug">{state.sentence}</span>
      ) : error ? (
        <Failed error={error} what={name} />
      ) : (
        <Waiting className="h-5 w-3/4 rounded-panel" />
      )}
      {state?.detail && <span className="figures text-xs text-soft">{state.detail}</span>}
    </Link>
  );
}
