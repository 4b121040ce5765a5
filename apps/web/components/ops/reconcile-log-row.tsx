/** One entry of the log in a line; open, it shows what was there before and after. The address says which is open. */
import Link from 'next/link';
import { join } from '../ui/join.ts';
import { StateChip } from '../ui/state-chip.tsx';
import { Ago } from './ago.tsx';
import { sayAction, sayCause } from './cause-words.ts';
import { signed } from './difference.tsx';
import { type LogFilter, logAddress } from './reconcile-filter.ts';
import { ReconcileLogDetail } from './reconcile-log-detail.tsx';
import type { LogEntry } from './types.ts';

export function ReconcileLogRow({ entry, filter }: { entry: LogEntry; filter: LogFilter }) {
  const isOpen = filter.entry === String(entry.id);
  const { entry: _open, ...rest } = filter;
  return (
    <li
      data-entry={entry.kind}
      data-sku={entry.skuId ?? undefined}
      data-unexplained={entry.unexplained}
      className={join('border-b border-line/70 last:border-b-0', isOpen && 'bg-foam')}
    >
      <Link
        href={logAddress(isOpen ? rest : { ...rest, entry: String(entry.id) })}
        scroll={false}
        aria-expanded={isOpen}
        className="grid min-h-8 grid-cols-[5.5rem_minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-1 text-sm hover:bg-foam sm:grid-cols-[5.5rem_12rem_minmax(0,1fr)_4rem_3.5rem] 2xl:grid-cols-[5.5rem_18rem_minmax(0,1fr)_5rem_4.5rem]"
      >
        <Kind entry={entry} />
        <span className="truncate font-mono text-xs">
          {entry.skuId ?? <span className="font-sans text-soft">{sayScope(entry)}</span>}{' '}
          {entry.shopId && <span className="font-sans text-soft">{entry.shopId}</span>}
        </span>
        <span className="col-span-2 col-start-1 row-start-2 truncate text-soft sm:col-span-1 sm:col-start-auto sm:row-start-auto">
          {sayEntry(entry)}
        </span>
        <Units entry={entry} />
        <span className="hidden text-right text-xs text-soft sm:block">
          <Ago at={entry.at} suffix="" />
        </span>
      </Link>
      {isOpen && <ReconcileLogDetail entry={entry} />}
    </li>
  );
}

function Kind({ entry: { kind, after } }: { entry: LogEntry }) {
  if (kind === 'RUN') return <StateChip state="RUN" word="run" />;
  if (kind === 'FINDING')
    return <StateChip state="FINDING" word="found" className="bg-drift-down-wash text-drift-down" />;
  return <StateChip state="CONFIRMED" word={after.action === 'SWEEP' ? 'swept' : 'repaired'} />;
}

function Units({ entry: { kind, unexplained, before } }: { entry: LogEntry }) {
  const isKnown = !('unknown' in before);
  return (
    <span
      className={join(
        'figures text-right text-xs',
        kind === 'FINDING' && isKnown && 'font-semibold text-drift-down',
        !isKnown && 'hatched text-soft',
      )}
      title="unexplained units"
    >
      {isKnown ? (unexplained === 0 ? '0' : kind === 'RUN' ? unexplained : signed(unexplained)) : '–'}
    </span>
  );
}

function sayScope({ after }: LogEntry): string {
  const { scope } = after;
  return typeof scope === 'string' && scope !== 'all' ? scope : 'all SKUs';
}

function sayEntry({ kind, before, after, cause }: LogEntry): string {
  if (kind === 'REPAIR') return `${sayAction(after)}: ${cause}`;
  if (kind === 'RUN') return cause;
  if (typeof before.unknown === 'string') return sayCause(before.unknown);
  return cause
    .split(', ')
    .map((part) => {
      const [name = '', units = '0'] = part.split(' ');
      return units === '0' ? sayCause(name) : `${sayCause(name)} ${signed(Number(units))}`;
    })
    .join(', ');
}
