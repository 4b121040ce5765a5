/** A figure as a sum: each row signed under the one before, and a line under them all. */
import Link from 'next/link';
import { join } from '../ui/join.ts';
import { Ago } from './ago.tsx';
import { signed } from './difference.tsx';
import { type ExplainAddress, explainAddress, FIGURE_WORDS } from './explain-address.ts';
import { Nothing, Panel } from './panel.tsx';
import type { FigureAnswer, FigureRow } from './types.ts';

const LINK = 'text-kelp underline decoration-kelp/40 underline-offset-4 hover:decoration-kelp';
const WHY: Readonly<Record<string, string>> = {
  NOT_LOGGED: 'The gate keeps no past of its own, and the log has no finding on this SKU up to then.',
  NOT_AT_GATE: 'This SKU is sold at the ledger; the gate has no figures of it.',
  GATE_CLOSED: 'The gate is closed.',
  MOVING: 'Orders come in faster than it can be read. The next look may find a quiet moment.',
};

export function ExplainAnswer({ answer, asked }: { answer: FigureAnswer; asked: ExplainAddress }) {
  const { name } = FIGURE_WORDS[asked.figure];
  if (answer.kind === 'unknown')
    return (
      <Panel title={`${name}: not known`}>
        <Nothing>
          {WHY[answer.why] ?? `The gate could not be read: ${answer.why.toLowerCase().replaceAll('_', ' ')}.`}
        </Nothing>
      </Panel>
    );
  return (
    <Panel
      title={`${name}: ${answer.sentence}`}
      aside={
        <span className="text-xs text-soft">
          {answer.source === 'log' ? 'as logged ' : 'as of '}
          <Ago at={answer.at} />
        </span>
      }
    >
      <table className="w-full border-collapse text-sm" data-figure={asked.figure} data-value={answer.value}>
        <tbody>
          {answer.rows.map((row) => (
            <Row key={row.name + row.units} row={row} asked={asked} />
          ))}
          {answer.rows.length === 0 && (
            <tr>
              <td colSpan={3} className="px-3 py-4 text-center text-soft">
                {asked.figure === 'drift' ? 'Nothing is unexplained.' : 'Nothing is on its way.'}
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr className="border-t-2 border-line-strong font-semibold">
            <th scope="row" className="px-3 py-2 text-left">
              {name}
            </th>
            <td />
            <td className="figures px-3 py-2 text-right text-base">{answer.value}</td>
          </tr>
        </tfoot>
      </table>
    </Panel>
  );
}

function Row({ row, asked }: { row: FigureRow; asked: ExplainAddress }) {
  const isWrong = row.name === 'NOT_EXPLAINED';
  const isOpen = asked.row === row.name;
  return (
    <tr
      data-row={row.name}
      data-units={row.units}
      className={join(
        'border-b border-line/70 last:border-b-0 hover:bg-foam',
        isWrong && 'hatched',
        isOpen && 'bg-foam',
      )}
    >
      <td className="px-3 py-1.5">
        <span className={join(isWrong && 'bg-sheet px-1 font-semibold text-drift-down')}>{row.sentence}</span>
        {row.sample.length > 0 && (
          <span className="flex flex-wrap gap-x-3 text-xs text-soft">
            {row.sample.map((id) => (
              <Link key={id} href={`/ops/reservations/${id}`} className={join(LINK, 'font-mono')} title={id}>
                …{id.slice(-8)}
              </Link>
            ))}
          </span>
        )}
      </td>
      <td className="px-3 py-1.5 text-right text-xs whitespace-nowrap">
        <LeadsTo row={row} asked={asked} />
      </td>
      <td className="figures w-16 px-3 sm:w-28 py-1.5 text-right">{row.units === 0 ? '0' : signed(row.units)}</td>
    </tr>
  );
}

function LeadsTo({ row: { name, leadsTo, count }, asked }: { row: FigureRow; asked: ExplainAddress }) {
  if (leadsTo && 'figure' in leadsTo)
    return (
      <Link href={explainAddress({ ...asked, figure: leadsTo.figure, row: undefined })} className={LINK}>
        explain it
      </Link>
    );
  if (count === 0) return null;
  const rows = count === null ? null : `${count} ${count === 1 ? 'row' : 'rows'}`;
  if (leadsTo)
    return (
      <Link
        href={explainAddress({ ...asked, row: asked.row === name ? undefined : name })}
        scroll={false}
        aria-expanded={asked.row === name}
        className={LINK}
      >
        {rows ?? 'rows'}
      </Link>
    );
  return <span className="text-soft">{rows}</span>;
}
