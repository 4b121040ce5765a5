import { expect, test } from 'vitest';
import { createGathering } from './gather.ts';

test('What comes together is run together, in order, up to the limit', async () => {
  const runs: number[][] = [];
  const gathering = createGathering<number>(
    10,
    (n) => n,
    async (items) => void runs.push([...items]),
  );
  await Promise.all([4, 5, 3, 20, 1].map((n) => gathering.add(n)));
  await gathering.add(7);
  expect(runs).toEqual([[4, 5, 3], [20], [1], [7]]);
});

test('A run that fails fails for its own items only', async () => {
  const gathering = createGathering<number>(
    1,
    () => 1,
    async ([n]) => {
      if (n === 2) throw new Error('two');
    },
  );
  const results = await Promise.allSettled([1, 2, 3].map((n) => gathering.add(n)));
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
