/** The repository's own source files, parsed, for tests about its structure. Generated code is left out. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseAst } from 'vitest/node';

export const ROOT = resolve(import.meta.dirname, '../../../..');
export const SOURCE_FOLDERS = ['packages', 'apps', 'stack', 'prisma', 'e2e', 'bench'] as const;

const SKIPPED = new Set([
  'node_modules',
  'generated',
  '.next',
  '.turbo',
  'target',
  'test-results',
  'playwright-report',
]);

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface Source {
  /** From the root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly isTest: boolean;
  readonly nodes: readonly Node[];
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** The file of ours that a relative specifier names, from the root. */
  readonly target: string | undefined;
  /** Gone when the program runs, as in `import type`. */
  readonly typeOnly: boolean;
}

export function readSources(): Source[] {
  const paths = SOURCE_FOLDERS.flatMap((folder) => listFiles(join(ROOT, folder), /\.(ts|tsx|mjs)$/));
  return paths.filter((path) => !/\.generated\.ts$|\.d\.ts$/.test(path)).map(readSource);
}

/** Absolute paths under a folder, sorted. */
export function listFiles(folder: string, wanted: RegExp): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listFiles(join(folder, entry.name), wanted);
    return wanted.test(entry.name) ? [join(folder, entry.name)] : [];
  });
}

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const nodes = [...walk(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))];
  const path = relative(ROOT, file);
  const isTest = /\.(test|e2e|testing)\.tsx?$|(^|\/)(testing|e2e)\//.test(path);
  return { path, text, isTest, nodes, imports: nodes.flatMap((node) => importOf(node, file)) };
}

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item);
  else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) if (typeof child === 'object') yield* walk(child);
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function importOf(node: Node, file: string): Import[] {
  const { source } = node;
  if (!isNode(source) || typeof source.value !== 'string') return [];
  const specifier = source.value;
  const target = specifier.startsWith('.') ? relative(ROOT, resolve(dirname(file), specifier)) : undefined;
  const names = Array.isArray(node.specifiers) ? node.specifiers.filter(isNode) : [];
  const kinds = [node.importKind, node.exportKind];
  const onlyTypes = names.length > 0 && names.every((name) => [name.importKind, name.exportKind].includes('type'));
  return [{ specifier, target, typeOnly: kinds.includes('type') || onlyTypes }];
}
