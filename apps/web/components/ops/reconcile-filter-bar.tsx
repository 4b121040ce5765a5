'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { Button } from '../ui/button.tsx';
import { CAUSE_WORDS } from './cause-words.ts';
import { type LogFilter, logAddress, readLogFilter } from './reconcile-filter.ts';

const FIELD = 'h-8 min-w-0 rounded-panel border border-line-strong bg-sheet px-2 text-xs text-ink';
const LABEL = 'flex min-w-0 items-center gap-1.5 text-xs text-soft';

/** Shop, SKU and cause; what is in the address stands in the fields. */
export function ReconcileFilterBar({ filter }: { filter: LogFilter }) {
  const router = useRouter();
  const { kind, run } = filter;
  return (
    <form
      // Fields hold what is being typed; another address fills them anew.
      key={logAddress({ ...filter, entry: '' })}
      aria-label="Filter"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2"
      onSubmit={(event) => {
        event.preventDefault();
        router.push(logAddress({ ...readLogFilter(new FormData(event.currentTarget)), kind }));
      }}
    >
      {(['shop', 'sku'] as const).map((name) => (
        <label key={name} className={LABEL}>
          {name === 'sku' ? 'SKU' : name}
          <input
            name={name}
            defaultValue={filter[name] ?? ''}
            spellCheck={false}
            autoComplete="off"
            className={`${FIELD} w-36 font-mono`}
          />
        </label>
      ))}
      <label className={LABEL}>
        cause
        <select name="cause" defaultValue={filter.cause ?? ''} className={`${FIELD} w-44`}>
          <option value="">any</option>
          {Object.entries(CAUSE_WORDS).map(([cause, words]) => (
            <option key={cause} value={cause}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit" look="quiet" size="console">
        Filter
      </Button>
      {(filter.shop || filter.sku || filter.cause || run) && (
        <Link href={logAddress({ kind })} className="text-sm text-soft underline underline-offset-4 hover:text-ink">
          {run ? 'Leave this run' : 'Clear'}
        </Link>
      )}
    </form>
  );
}
