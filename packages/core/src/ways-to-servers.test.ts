/**
 * Every call to a server goes through a connection that the process was handed, so that a test can stand between
 * (testing/io). A test of its own: what goes around it would be invisible to the crash sweep and to the histories.
 */
import { expect, test } from 'vitest';
import { type Node, readSources } from './testing/read-sources.ts';

const CORE = 'packages/core/src';
const product = readSources().filter(
  ({ path, isTest }) => /^(packages|apps)\//.test(path) && !isTest && !path.startsWith(`${CORE}/testing/`),
);

/** Who may hold a client in its hands; everybody else gets a pool, a connection or a producer as a value. */
const CLIENTS: Record<string, readonly string[]> = {
  pg: [`${CORE}/platform/postgres.ts`, `${CORE}/platform/session.ts`],
  ioredis: [`${CORE}/platform/redis.ts`],
  bullmq: ['apps/worker/jobs/start-jobs.ts'],
  '@prisma/adapter-pg': [`${CORE}/platform/prisma/client.ts`],
  // Servers of ours, for browsers and health checks.
  'node:http': ['apps/web/server.ts', 'apps/web/server/http/serve-internal.ts', 'apps/worker/internal-server.ts'],
  'node:https': [],
  'node:http2': [],
  'node:net': [],
  'node:tls': [],
  undici: [],
};

test.each(Object.entries(CLIENTS))('%s is used where connections are opened, nowhere else', (name, allowed) => {
  const users = product.filter(({ imports }) =>
    imports.some(({ specifier, typeOnly }) => specifier === name && !typeOnly),
  );
  expect(users.map(({ path }) => path).toSorted()).toEqual(allowed);
});

const FETCHES = [`${CORE}/order/payment/demo/deliver-notices.ts`, `${CORE}/order/payment/stripe/stripe-call.ts`];

test('On the server only the payment providers call somebody by HTTP', () => {
  const callers = product.filter(
    ({ path, nodes }) => !path.startsWith('apps/web/') && nodes.some((node) => calls(node, new Set(['fetch']))),
  );
  expect(callers.map(({ path }) => path).toSorted()).toEqual(FETCHES);
});

const OPENERS = new Set([
  'createPool',
  'openSession',
  'openRedis',
  'openGateRedis',
  'openInstallRedis',
  'connectKafka',
  'createProducer',
  'createPrisma',
  'openPrisma',
]);
const WIRING = [
  'apps/web/server/auth/create-auth.ts',
  'apps/web/server/open-stores.ts',
  // The queue's own connections: a job is only a trigger, so nothing depends on what is lost on them.
  'apps/worker/jobs/start-jobs.ts',
  'apps/worker/open-stores.ts',
  'apps/worker/start-loops.ts',
  // A reader's pool in Prisma's clothes.
  `${CORE}/platform/prisma/client.ts`,
];

test('Connections are opened where a process is wired, nowhere else', () => {
  const openers = product.filter(({ nodes }) => nodes.some((node) => calls(node, OPENERS)));
  expect(openers.map(({ path }) => path).toSorted()).toEqual(WIRING.toSorted());
});

function calls({ type, callee }: Node, names: ReadonlySet<string>): boolean {
  if (type !== 'CallExpression' || typeof callee !== 'object' || callee === null) return false;
  return 'name' in callee && typeof callee.name === 'string' && names.has(callee.name);
}
