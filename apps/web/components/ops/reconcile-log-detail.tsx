/** Before and after of one entry, left and right of one axis, and under what it was read. */
import Link from 'next/link';
import type { ReactNode } from 'react';
import { sayCause } from './cause-words.ts';
import { signed } from './difference.tsx';
import { explainAddress } from './explain-address.ts';
import { logAddress } from './reconcile-filter.ts';
import type { LogEntry } from './types.ts';

const LINK = 'text-kelp underline decoration-kelp/40 underline-offset-4 hover:decoration-kelp';
const WORDS: Readonly<Record<string, string>> = {
  total: 'T',
  deducted: 'D',
  totalQuantity: 'on hand',
  confirmedQuantity: 'confirmed',
  reservedQuantity: 'reserved',
  preDeducted: 'held by orders',
  skus: 'SKUs',
  effects: 'effects issued',
  givenBack: 'given back',
  explained: 'in flight',
  reinstalled: 'loaded anew',
  effectsIssued: 'SKUs with effects issued again',
};
const PLACES = Object.keys(WORDS);
/** T and D first; names without a word of their own stand last. */
const placeOf = (name: string) => (PLACES.indexOf(name) + PLACES.length + 1) % (PLACES.length + 1);
/** Said elsewhere in the entry, or of no use to a person. */
const LEFT_OUT = new Set([
  'rows',
  'action',
  'runId',
  'risk',
  'scoped',
  'unknownBy',
  'resumeAfter',
  'reservations',
  'round',
  'scope',
]);

export function ReconcileLogDetail({ entry }: { entry: LogEntry }) {
  const { kind, shopId, skuId, runId, at, actor, epoch, generation, version, before, after } = entry;
  return (
    <div className="space-y-3 border-t border-line/70 px-3 pt-2 pb-3 text-sm">
      <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        <Side name={kind === 'RUN' ? 'The run before' : 'The gate before'}>
          <Figures of={before} />
          <Causes rows={before.rows} />
        </Side>
        <Side name={kind === 'FINDING' ? 'What the ledger says' : 'After'}>
          <Figures of={after} />
        </Side>
      </div>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft">
        <span>by {actor}</span>
        {epoch !== null && <span>epoch {epoch}</span>}
        {generation !== null && <span>generation {generation}</span>}
        {version !== null && <span>version {version}</span>}
        <Link href={logAddress({ run: runId })} className={LINK}>
          everything of this run
        </Link>
        {shopId && skuId && (
          <Link href={explainAddress({ shopId, skuId, figure: 'deducted', at })} className={LINK}>
            explain D at that moment
          </Link>
        )}
      </p>
    </div>
  );
}

function Side({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-semibold text-soft">{name}</h3>
      {children}
    </section>
  );
}

function Figures({ of }: { of: LogEntry['before'] }) {
  const shown = Object.entries(of)
    .filter(([name, value]) => !LEFT_OUT.has(name) && (typeof value === 'number' || typeof value === 'string'))
    .sort(([a], [b]) => placeOf(a) - placeOf(b));
  if (shown.length === 0) return <p className="text-xs text-soft">nothing is known</p>;
  return (
    <dl className="divide-y divide-line/70">
      {shown.map(([name, value]) => (
        <div key={name} className="flex h-7 items-center justify-between gap-4">
          <dt className="text-xs text-soft">{WORDS[name] ?? name}</dt>
          <dd className="figures truncate">{name === 'unknown' ? sayCause(String(value)) : String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Causes({ rows }: { rows: unknown }) {
  if (!Array.isArray(rows) || rows.length === 0) return null;
  return (
    <ul className="mt-2 space-y-0.5 text-xs">
      {rows.map((row: { cause: string; units: number; sample?: readonly string[] }) => (
        <li key={`${row.cause}${row.units}`} className="flex justify-between gap-4">
          <span>{sayCause(row.cause)}</span>
          <span className="figures">{row.units === 0 ? '0' : signed(row.units)}</span>
        </li>
      ))}
    </ul>
  );
}
