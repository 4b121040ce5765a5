'use client';
/** Now, or a past instant: typed in the operator's own time, kept in the address as an exact one. */
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { Button } from '../ui/button.tsx';
import { type ExplainAddress, explainAddress } from './explain-address.ts';

export function ExplainTime({ asked }: { asked: ExplainAddress }) {
  const router = useRouter();
  const { at } = asked;
  return (
    <form
      key={at?.toISOString() ?? 'now'}
      aria-label="Time"
      className="flex flex-wrap items-center gap-3 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        const text = new FormData(event.currentTarget).get('at');
        const then = new Date(typeof text === 'string' ? text : '');
        router.push(explainAddress({ ...asked, at: Number.isNaN(then.getTime()) ? undefined : then }));
      }}
    >
      <label className="flex items-center gap-2 text-xs text-soft">
        at
        <input
          type="datetime-local"
          name="at"
          step="1"
          defaultValue={at ? localOf(at) : ''}
          className="figures h-8 rounded-panel border border-line-strong bg-sheet px-2 text-xs text-ink"
        />
      </label>
      <Button type="submit" look="quiet" size="console">
        Look back
      </Button>
      {at && (
        <Link href={explainAddress({ ...asked, at: undefined })} className="text-soft underline underline-offset-4">
          Now
        </Link>
      )}
    </form>
  );
}

/** As the field wants it, in local time. */
function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
