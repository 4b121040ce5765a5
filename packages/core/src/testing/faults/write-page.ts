/** The matrix in docs/reliability.md, between its marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../read-sources.ts';
import { printReasons, printTable, sentenceOf, sumUp } from './print-table.ts';
import type { Results } from './results.ts';

const PAGE = join(ROOT, 'docs', 'reliability.md');
const BEGIN = '<!-- fault matrix -->';
const END = '<!-- end of fault matrix -->';

export function pageText(results: Results): string {
  return `${sentenceOf(sumUp(results))}\n\n${printTable(results)}\n\n${printReasons()}`;
}

export function writePage(results: Results): void {
  const { before, after } = cutPage();
  writeFileSync(PAGE, `${before}\n\n${pageText(results)}\n\n${after}`);
}

/** What stands between the marks now. */
export function readPage(): string {
  return cutPage().between.trim();
}

function cutPage(): { before: string; between: string; after: string } {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} lacks its marks`);
  const from = begin + BEGIN.length;
  return { before: page.slice(0, from), between: page.slice(from, end), after: page.slice(end) };
}
