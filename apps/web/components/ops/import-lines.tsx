/** The rows of an import: a forecast while they are open, the fact once they are booked. */
import type { ImportReview } from './types.ts';

type Line = ImportReview['lines'][number];

export function ImportLines({ lines }: { lines: readonly Line[] }) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full min-w-[44rem] border-collapse text-sm">
        <thead>
          <tr className="h-8 border-b border-line text-left text-xs text-soft [&>th]:px-3 [&>th]:font-medium">
            <th scope="col">line</th>
            <th scope="col">reference</th>
            <th scope="col">SKU</th>
            <th scope="col" className="text-right">
              change
            </th>
            <th scope="col" className="text-right">
              on hand
            </th>
            <th scope="col">outcome</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.line} data-line={line.line} className="h-8 border-b border-line/70 [&>td]:px-3">
              <td className="figures text-xs text-soft">{line.line}</td>
              <td className="font-mono text-xs">{line.ref}</td>
              <td className="whitespace-nowrap font-mono text-xs">
                {line.shopId}/{line.skuId}
              </td>
              <td className="figures text-right">{line.change > 0 ? `+${line.change}` : line.change}</td>
              <td className="figures whitespace-nowrap text-right">
                {line.status === 'REFUSED' ? '–' : `${line.totalBefore} to ${line.totalAfter}`}
              </td>
              <td className={isWrong(line) ? 'text-drift-down' : undefined}>{outcomeOf(line)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isWrong({ status, verdict, refusal }: Line): boolean {
  return status === 'REFUSED' || refusal !== null || (status !== 'UNDONE' && verdict !== 'ok');
}

function outcomeOf({ status, verdict, refusal, free }: Line): string {
  if (refusal !== null) return `${status.toLowerCase()}: ${refusal}`;
  if (status === 'APPLIED') return 'booked';
  if (status === 'UNDONE') return 'booked and undone';
  switch (verdict) {
    case 'ok':
      return 'can be booked';
    case 'below held':
      return `only ${free} are free`;
    case 'booked before':
      return 'this reference has been booked by another import';
    case 'unknown SKU':
      return 'no such SKU in this shop';
    case 'too many':
      return 'more than a SKU can have over its life';
  }
}
