/** Files that are written from other files are never older than their source. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderConfigDocs } from '../../../stack/write-config-docs.ts';
import { generateLua } from './gate/generate-lua.ts';
import { CONFIG_SECTIONS } from './platform/config-sections.ts';
import { ROOT } from './testing/read-sources.ts';

const read = (path: string) => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : 'missing');

test.each(Object.entries(renderConfigDocs()))(
  '%s tells of the configuration as it is (node stack/write-config-docs.ts)',
  (path, text) => {
    expect(read(path)).toBe(text);
  },
);

test('Every configuration variable stands in both documents with its meaning', () => {
  const names = Object.values(CONFIG_SECTIONS).flatMap((section) => Object.keys(section.shape));
  expect(new Set(names).size).toBe(names.length);
  for (const text of Object.values(renderConfigDocs())) for (const name of names) expect(text).toContain(name);
});

test('The gate runs the scripts that stand in lua/ (node packages/core/src/gate/generate-lua.ts)', () => {
  expect(read('packages/core/src/gate/lua.generated.ts')).toBe(generateLua());
});
