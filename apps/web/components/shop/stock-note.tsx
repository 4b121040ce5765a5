import { join } from '../ui/join.ts';
import { type StockFigures, stockSentence } from './stock-sentence.ts';

const MARKS: Record<ReturnType<typeof stockSentence>['state'], string> = {
  plenty: 'rounded-full bg-kelp',
  few: 'rounded-full bg-kelp',
  last: 'rounded-full bg-buoy',
  held: 'rounded-full border-2 border-held',
  'sold-out': 'h-0.5 rounded-none bg-soft',
  unknown: 'hatched rounded-full',
};

/** The stock sentence with a mark of its own shape. */
export function StockNote({ stock, className }: { stock: StockFigures | undefined; className?: string }) {
  const { state, text } = stockSentence(stock);
  return (
    <span
      data-stock={state}
      className={join(
        'figures inline-flex items-center gap-2 text-sm text-soft',
        state === 'last' && 'text-buoy-ink',
        state === 'held' && 'text-held',
        className,
      )}
    >
      <span aria-hidden="true" className={join('size-2 shrink-0', MARKS[state])} />
      {text}
    </span>
  );
}
