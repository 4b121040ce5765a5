import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, readSources } from '../read-sources.ts';
import { plantFunctions, plantText } from './plant.ts';
import { plantSource } from './plant-source.ts';
import { PLANTS } from './register.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The newest migration that makes the function. */
function newestDefinition(name: string): string {
  const made = readdirSync(join(ROOT, 'prisma/migrations'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name: folder }) => read(`prisma/migrations/${folder}/migration.sql`))
    .filter((text) => new RegExp(`FUNCTION ${name.replace('.', '\\.')}\\(`).test(text));
  return made.at(-1) ?? '';
}

test('A fault whose text is gone, or stands there twice, is never planted', () => {
  const edit = { find: 'held', replace: 'free' };
  expect(plantText('all held.', [edit], 'here')).toBe('all free.');
  expect(() => plantText('all taken.', [edit], 'here')).toThrow('here: found 0 times');
  expect(() => plantText('held and held.', [edit], 'here')).toThrow('here: found 2 times');
  expect(() => plantFunctions(['one', 'two'], [edit], 'here')).toThrow('here: in none of the functions');
});

test('Nothing of the product knows of planted faults', () => {
  const knowing = readSources().filter(({ text }) => text.includes('HOLDFAST_PLANT') || text.includes('/plants/'));
  expect(
    knowing.map(({ path }) => path).filter((path) => !/^(stack|packages\/core\/src\/testing)\//.test(path)),
  ).toEqual([]);
});

test('The table in docs/reliability.md has every fault, with its rule and the test that notices it', () => {
  const page = read('docs/reliability.md');
  const missing = PLANTS.filter(
    ({ name, rule, caughtBy }) => !page.includes(`| \`${name}\` | ${rule} |`) || !page.includes(caughtBy.title),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('At least 28 faults are planted, each under a name of its own', () => {
  expect(new Set(PLANTS.map(({ name }) => name)).size).toBe(PLANTS.length);
  expect(PLANTS.length).toBeGreaterThanOrEqual(28);
});

test.each(PLANTS.map((plant) => [plant.name, plant] as const))(
  'The fault "%s" still applies to the sources of today',
  (_, plant) => {
    const { name, place } = plant;
    if ('functions' in place) {
      const texts = [...new Set(place.functions.map(newestDefinition))];
      expect(plantFunctions(texts, place.edits, name)).not.toEqual(texts);
    }
    if ('file' in place) {
      expect(plantText(read(place.file), place.edits, name)).not.toBe(read(place.file));
      const carrier = 'packages/core/src/gate/lua.generated.ts';
      const loaded = place.file.endsWith('.lua') ? carrier : place.file;
      expect(plantSource(plant, join(ROOT, loaded), read(loaded))).not.toBe(read(loaded));
    }
  },
);

test.each(PLANTS.map(({ name, caughtBy }) => [name, caughtBy] as const))(
  'The test that catches "%s" exists',
  (_, { file, title }) => {
    // A title may be built from a template: what stands before the first part of it that varies is compared.
    const text = read(`packages/core/src/${file}`).replaceAll(/\$\{\w+\}|%s/g, '*');
    const titles = [...text.matchAll(/\b(?:test|it)(?:\.each\([^)]*\))?\(\s*(['"`])(.*?)\1/gs)].map(
      (found) => found[2] ?? '',
    );
    const fits = (pattern: string) => {
      const [fixed = '', ...rest] = pattern.split('*');
      return rest.length > 0 ? title.startsWith(fixed) : pattern.startsWith(title);
    };
    expect(titles.some(fits)).toBe(true);
  },
);
