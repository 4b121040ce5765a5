/** Keeps the section "Planted faults" of docs/reliability.md: which test noticed what, as the last whole run found it. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Caught } from './catch-plant.ts';
import type { Plant } from './plant.ts';

export interface Row {
  readonly plant: Plant;
  readonly caught: Caught;
}

const BEGIN = '<!-- planted faults: written by `npm run plants -- --write` -->';
const END = '<!-- end of planted faults -->';

export function writeTable(page: string, rows: readonly Row[]): void {
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error(`${page} has no place for the table between "${BEGIN}" and "${END}"`);
  writeFileSync(page, `${before}${BEGIN}\n${tableOf(rows)}\n${END}${after}`);
}

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ plant: { name, rule, sentence, caughtBy }, caught }) =>
      `| \`${name}\` | ${rule} | ${sentence} | \`${caughtBy.file}\`: ${caughtBy.title} | ${Math.ceil(caught.seconds)} |`,
  );
  return ['| Fault | Rule | What goes wrong | Noticed by | s |', '|---|---|---|---|---:|', ...lines].join('\n');
}
