/** What a transaction may use, read from the sources: a second connection inside one locks a full pool for good. */
import { expect, test } from 'vitest';
import { isNode, type Node, readSources, type Source } from './testing/read-sources.ts';

/** Functions that run a callback in a transaction and hand it `tx`. */
const OPENERS = new Set(['inTransaction', 'changeTrades', '$transaction']);

function nameOf(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined;
  const at = callee.type === 'MemberExpression' ? callee.property : callee;
  return isNode(at) && typeof at.name === 'string' ? at.name : undefined;
}

/** Callbacks written in place; one that is named elsewhere is a function of `tx` and has no pool to reach for. */
function callbacksOf({ nodes }: Source): Node[] {
  const calls = nodes.filter((node) => node.type === 'CallExpression' && OPENERS.has(nameOf(node.callee) ?? ''));
  return calls
    .flatMap((call) => (Array.isArray(call.arguments) ? call.arguments : []))
    .filter(isNode)
    .filter((argument) => /Function/.test(argument.type));
}

function poolsIn(source: Source, { start, end }: Node): string[] {
  return source.nodes
    .filter((node) => node.start > start && node.end <= end)
    .filter((node) => node.type === 'Identifier' && /^(pool|prisma|\w+Pool)$/.test(String(node.name)))
    .map((node) => `${source.path}:${source.text.slice(0, node.start).split('\n').length}`);
}

test('C37 – No transaction asks for a second connection: the pool is not named inside one', () => {
  const sources = readSources().filter(({ path, isTest }) => !isTest && /^(packages|apps)\//.test(path));
  const callbacks = sources.flatMap((source) => callbacksOf(source).map((callback) => ({ source, callback })));
  expect(callbacks.length).toBeGreaterThan(20);
  expect(callbacks.flatMap(({ source, callback }) => poolsIn(source, callback))).toEqual([]);
});
