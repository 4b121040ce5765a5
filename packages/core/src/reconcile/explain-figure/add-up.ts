/** Named rows that add up to a figure, and say so when they do not: what is left over is a row of its own, never hidden. */
import type { Figure } from './figures.ts';
import type { RowList } from './list-rows.ts';

export interface FigureRow {
  /** A name that stays the same, for links and tests. */
  readonly name: string;
  readonly sentence: string;
  /** What the row adds to the figure, signed. */
  readonly units: number;
  /** How many movements, reservations or holds it stands for; null when it is another figure. */
  readonly count: number | null;
  /** Where its own rows are: another figure, or a list to page through. */
  readonly leadsTo: { readonly figure: Figure } | { readonly list: RowList } | null;
  /** A few reservation ids. */
  readonly sample: readonly string[];
}

export interface Sum {
  readonly value: number;
  readonly rows: readonly FigureRow[];
  /** Units that no row explains; 0 when the rows add up. */
  readonly notExplained: number;
}

export function addUp(value: number, rows: readonly FigureRow[]): Sum {
  const notExplained = value - rows.reduce((sum, row) => sum + row.units, 0);
  if (notExplained === 0) return { value, rows, notExplained };
  return { value, rows: [...rows, row('NOT_EXPLAINED', 'no row of the books says why', notExplained)], notExplained };
}

export function row(
  name: string,
  sentence: string,
  units: number,
  more: Partial<Pick<FigureRow, 'count' | 'leadsTo' | 'sample'>> = {},
): FigureRow {
  return { name, sentence, units, count: null, leadsTo: null, sample: [], ...more };
}
