/** The shape of the code as design section 3 and CONTRIBUTING promise it, read from the sources themselves. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import {
  isNode,
  listFiles,
  type Node,
  ROOT,
  readSources,
  SOURCE_FOLDERS,
  type Source,
} from './testing/read-sources.ts';

const sources = readSources();
const byPath = new Map(sources.map((source) => [source.path, source]));
const product = withoutTestSupport(sources.filter((source) => !source.isTest));

/** Leaves out what is imported for tests and for nothing else, such as a desk that sets up orders for them. */
function withoutTestSupport(rest: readonly Source[]): readonly Source[] {
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ target }) => target)));
  const needed = new Set(
    rest.flatMap(({ path, imports }) => imports.map(({ target }) => target).filter((target) => target !== path)),
  );
  const kept = rest.filter(({ path }) => needed.has(path) || !imported.has(path));
  return kept.length === rest.length ? rest : withoutTestSupport(kept);
}

/** Each stage and what it may build on. `ops` is incidents and audit; `ops/console` reads everything for operators. */
const BASE = ['domain', 'platform'];
const STAGES = [...BASE, 'outbox', 'stream', 'ops', 'gate', 'ledger'];
const MAY_IMPORT: Record<string, readonly string[]> = {
  domain: [],
  platform: ['domain'],
  stream: BASE,
  outbox: [...BASE, 'stream'],
  ops: BASE,
  gate: [...BASE, 'outbox', 'stream', 'ops'],
  ledger: [...BASE, 'outbox', 'stream', 'ops'],
  order: STAGES,
  reconcile: STAGES,
  stock: STAGES,
  'ops/console': [...STAGES, 'order', 'reconcile', 'stock'],
};

function stageOf(path: string): string | undefined {
  return /^packages\/core\/src\/(ops\/console|[a-z]+)\//.exec(path)?.[1];
}

test('Dependencies run one way: domain, platform, stages, apps', () => {
  const wrong = product.flatMap((source) => {
    const from = stageOf(source.path);
    if (from === undefined) return [];
    const stages = source.imports
      .map(({ target }) => target && stageOf(target))
      .filter((to) => to !== undefined && to !== from);
    return stages.filter((to) => !to || !MAY_IMPORT[from]?.includes(to)).map((to) => `${source.path} imports ${to}`);
  });
  expect(wrong).toEqual([]);
});

test('Apps reach the core through its doors and never each other', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'packages/core/package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const doors = Object.keys(exports).map((door) => door.replace('.', '@holdfast/core'));
  const wrong = sources
    .filter(({ path }) => path.startsWith('apps/'))
    .flatMap(({ path, imports }) => {
      const app = path.split('/').slice(0, 2).join('/');
      const strays = imports.filter(({ specifier, target }) =>
        target === undefined
          ? specifier.startsWith('@holdfast/') && !doors.includes(specifier)
          : !target.startsWith(`${app}/`),
      );
      return strays.map(({ specifier }) => `${path} imports ${specifier}`);
    });
  expect(wrong).toEqual([]);
});

test('No product code of the core imports the test levers', () => {
  const wrong = product.filter(
    ({ path, imports }) => stageOf(path) && imports.some(({ target }) => target?.includes('src/testing/')),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('No two files import each other, also by a detour', () => {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (trail.includes(path) || done.has(path)) return;
    for (const { target, typeOnly } of byPath.get(path)?.imports ?? [])
      if (target !== undefined && !typeOnly) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  expect(cycles).toEqual([]);
});

test('Every door lists its names by hand', () => {
  const wrong = sources.filter(({ nodes }) => nodes.some(({ type }) => type === 'ExportAllDeclaration'));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('kafkajs stays behind stream/', () => {
  const users = product.filter(({ imports }) => imports.some(({ specifier }) => specifier === 'kafkajs'));
  expect(
    users.filter(({ path }) => /^(packages|apps)\//.test(path) && stageOf(path) !== 'stream').map(({ path }) => path),
  ).toEqual([]);
});

const MAX_LINES = 250;
const MAX_FUNCTION_LINES = 60;
const MAX_MEDIAN_BYTES = 2048;
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
const lines = (text: string) => text.trimEnd().split('\n').length;

test('Files stay small: the median under 2 KB, none over 250 lines', () => {
  const sizes = sources.map(({ text }) => Buffer.byteLength(text)).sort((a, b) => a - b);
  expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(MAX_MEDIAN_BYTES);
  const long = sources
    .filter(({ text }) => lines(text) > MAX_LINES)
    .map(({ path, text }) => `${path}: ${lines(text)} lines`);
  expect(long).toEqual([]);
});

test('No function is longer than 60 lines', () => {
  const long = sources.flatMap(({ path, text, nodes }) => {
    const suites = new Set(nodes.filter(isSuite).flatMap((call) => call.arguments));
    return nodes
      .filter((node) => FUNCTIONS.has(node.type) && !suites.has(node))
      .map(({ start, end }) => ({ at: lines(text.slice(0, start)), long: lines(text.slice(start, end)) }))
      .filter((found) => found.long > MAX_FUNCTION_LINES)
      .map((found) => `${path}:${found.at} has ${found.long} lines`);
  });
  expect(long).toEqual([]);
});

/** The body of `describe` is a chapter of tests, not a function that somebody has to hold in mind. */
function isSuite(node: Node): node is Node & { arguments: unknown[] } {
  return (
    node.type === 'CallExpression' &&
    isNode(node.callee) &&
    node.callee.name === 'describe' &&
    Array.isArray(node.arguments)
  );
}

/** Prose and code that may point at rules and cases. */
const texts = [...SOURCE_FOLDERS, 'docs']
  .flatMap((folder) => listFiles(join(ROOT, folder), /\.(tsx?|mjs|lua|sql|prisma|css|md)$/))
  .map((file) => ({ path: relative(ROOT, file), text: readFileSync(file, 'utf8') }));

test.each([
  ['P', 'docs/protocol.md', 42, /\bP([1-9]\d?)\b/g],
  ['C', 'docs/cases.md', 64, /\bC(\d{2})\b/g],
] as const)('Every %s number in the code is explained in %s', (letter, page, last, pattern) => {
  const headings = new RegExp(`^#+ ${letter}(\\d+)\\b`, 'gm');
  const explained = new Set(
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(headings)].map(([, number]) => Number(number)),
  );
  expect([...explained].sort((a, b) => a - b)).toEqual(Array.from({ length: last }, (_, i) => i + 1));
  const unknown = texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)]
      .filter(([, number]) => !explained.has(Number(number)))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

/** The one definition of the clock, also where a test moves it. */
const CLOCK = /CREATE (OR REPLACE )?FUNCTION ops\.clock_now\(\)[^;]*?AS \$\$.*?\$\$/gs;
const OTHER_CLOCKS =
  /(?<![.\w])(now|(clock|statement|transaction)_timestamp|timeofday)\(\)|\b(current|local)_?(timestamp|time|date)\b/i;

test('SQL takes the time from ops.clock_now() alone (P42)', () => {
  const literals = product.flatMap(({ path, nodes }) => nodes.flatMap(literalText).map((text) => ({ path, text })));
  const scripts = texts.filter(({ path }) => path.endsWith('.sql') && !path.includes('node_modules'));
  const sql = [
    ...literals.filter(({ text }) => /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|WHERE)\b/.test(text)),
    ...scripts,
  ];
  const wrong = sql.filter(({ text }) => OTHER_CLOCKS.test(text.replaceAll(/--.*$/gm, '').replaceAll(CLOCK, '')));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

/** A string, or a template as one text with its expressions left out. */
function literalText(node: Node): string[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return [];
  return [
    node.quasis
      .filter(isNode)
      .map(({ value }) => (value as { raw: string }).raw)
      .join(' '),
  ];
}

const READS_ENVIRONMENT =
  /^(packages\/core\/src\/(platform\/config\.ts|testing\/)|stack\/|prisma\/|bench\/|e2e\/)|\.config\.ts$|\.test\.ts$/;

test('The environment is read by configuration and tools, nowhere else', () => {
  const readers = sources.filter(({ nodes }) =>
    nodes.some(
      (node) =>
        node.type === 'MemberExpression' &&
        isNode(node.object) &&
        node.object.name === 'process' &&
        isNode(node.property) &&
        node.property.name === 'env',
    ),
  );
  expect(readers.map(({ path }) => path).filter((path) => !READS_ENVIRONMENT.test(path))).toEqual([]);
});
