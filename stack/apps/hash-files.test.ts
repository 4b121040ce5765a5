import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashFiles } from './hash-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-hash-'));
  mkdirSync(join(root, 'app', '.next'), { recursive: true });
  writeFileSync(join(root, 'app', 'page.tsx'), 'one');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('A changed, renamed or added source means a new build', () => {
  const before = hashFiles(root, ['app']);
  writeFileSync(join(root, 'app', 'page.tsx'), 'two');
  const changed = hashFiles(root, ['app']);
  writeFileSync(join(root, 'app', 'more.ts'), '');
  expect(new Set([before, changed, hashFiles(root, ['app'])]).size).toBe(3);
});

test('What the build makes, and tests, mean no new build', () => {
  const before = hashFiles(root, ['app', 'missing']);
  writeFileSync(join(root, 'app', '.next', 'trace'), 'x');
  writeFileSync(join(root, 'app', 'page.test.ts'), 'x');
  expect(hashFiles(root, ['app', 'missing'])).toBe(before);
});
