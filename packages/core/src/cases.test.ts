/** The table at the end of docs/cases.md, against the tests it names. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './testing/read-sources.ts';

const CASES = 64;
const PARTS = /part [3-7]/;

const rows = [...readFileSync(join(ROOT, 'docs/cases.md'), 'utf8').matchAll(/^\| (C\d\d) \| (.*) \| ?(.*) \|$/gm)].map(
  ([, id = '', files = '', open = '']) => ({
    id,
    open,
    files: [...files.matchAll(/`([^`]+)`/g)].map((found) => found[1] ?? ''),
  }),
);

/** Ids stand first in a title: `C12 – ...`, or several of them. */
function holdsCase(file: string, id: string): boolean {
  if (!existsSync(join(ROOT, file))) return false;
  const starts = readFileSync(join(ROOT, file), 'utf8').matchAll(/['"`]((?:C\d\d[, ]*)+)[ :–]/g);
  return [...starts].some(([, ids = '']) => ids.includes(id));
}

test('Every case has one row in the table of tests', () => {
  const ids = Array.from({ length: CASES }, (_, n) => `C${String(n + 1).padStart(2, '0')}`);
  expect(rows.map(({ id }) => id)).toEqual(ids);
});

test('Every test that the table names exists and has the case in a title', () => {
  const wrong = rows.flatMap(({ id, files }) =>
    files.filter((file) => !holdsCase(file, id)).map((file) => `${id}: ${file}`),
  );
  expect(wrong).toEqual([]);
});

test('A case that no test holds yet says which part takes it', () => {
  expect(rows.filter(({ files, open }) => files.length === 0 && !PARTS.test(open)).map(({ id }) => id)).toEqual([]);
});
