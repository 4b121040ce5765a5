/** Keeps the section "Planted faults" of docs/reliability.md: what noticed each fault, as the last run of each kind found it. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Caught } from './catch-plant.ts';
import { PLANTS } from './register.ts';

/** By the fault's name; what a run did not look at keeps its cell. */
export interface Found {
  readonly tests?: ReadonlyMap<string, Caught>;
  readonly histories?: ReadonlyMap<string, string>;
}

const BEGIN = '<!-- planted faults: written by `npm run plants -- --write` -->';
const END = '<!-- end of planted faults -->';
const HEAD = ['| Fault | Rule | What goes wrong | Noticed by | s | Histories |', '|---|---|---|---|---:|---:|'];

export function writeTable(page: string, found: Found): void {
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(BEGIN);
  const [old = '', after] = rest.split(END);
  if (after === undefined) throw new Error(`${page} has no place for the table between "${BEGIN}" and "${END}"`);
  writeFileSync(page, `${before}${BEGIN}\n${[...HEAD, ...rows(old, found)].join('\n')}\n${END}${after}`);
}

function rows(old: string, { tests, histories }: Found): string[] {
  const kept = new Map(
    [...old.matchAll(/^\| `([\w-]+)` .*\| (\S+) \| ([^|]*) \|$/gm)].map(([, name = '', ...cells]) => [name, cells]),
  );
  return PLANTS.map(({ name, rule, sentence, caughtBy }) => {
    const [seconds = '', count = ''] = kept.get(name) ?? [];
    const caught = tests?.get(name);
    const cells = [caught ? String(Math.ceil(caught.seconds)) : seconds || '–', histories?.get(name) ?? (count || '–')];
    return `| \`${name}\` | ${rule} | ${sentence} | \`${caughtBy.file}\`: ${caughtBy.title} | ${cells.join(' | ')} |`;
  });
}
