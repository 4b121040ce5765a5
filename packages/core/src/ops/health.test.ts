import { expect, test } from 'vitest';
import { answerHealth, checkDependencies } from './health.ts';

const up = { name: 'up', check: async () => 'fine' };
const down = { name: 'down', check: () => Promise.reject(new Error('no route')) };
const hanging = { name: 'hanging', check: () => new Promise<never>(() => undefined) };

test('each dependency is told with its latency, and one that is down says why', async () => {
  const { status, dependencies } = await checkDependencies([up, down]);
  expect(status).toBe('down');
  expect(dependencies).toMatchObject([
    { name: 'up', status: 'up' },
    { name: 'down', status: 'down', reason: 'no route' },
  ]);
  expect(dependencies.every((dependency) => dependency.latencyMs >= 0)).toBe(true);
});

test('a dependency that does not answer is down after the limit, and the others are told', async () => {
  const { dependencies } = await checkDependencies([hanging, up], 20);
  expect(dependencies).toMatchObject([
    { name: 'hanging', status: 'down', reason: 'no answer within 20 ms' },
    { name: 'up', status: 'up' },
  ]);
});

test('P21 – what the process can do without makes it no less ready', async () => {
  expect(await checkDependencies([up, { ...down, needed: false }])).toMatchObject({ status: 'up' });
});

test('alive, ready and metrics answer on their paths, and nothing else does', async () => {
  const registry = { contentType: 'text/plain', metrics: async () => 'holdfast_x 1' };
  expect(await answerHealth('/healthz', [down], registry)).toMatchObject({ status: 200 });
  expect(await answerHealth('/readyz', [up], registry)).toMatchObject({ status: 200 });
  expect(await answerHealth('/readyz', [down], registry)).toMatchObject({ status: 503 });
  expect(await answerHealth('/metrics', [down], registry)).toMatchObject({ status: 200, body: 'holdfast_x 1' });
  expect(await answerHealth('/other', [], registry)).toBeUndefined();
});
