import { expect, test } from 'vitest';
import { createBuyerTurns } from './buyer-turns.ts';

const gate = () => Promise.withResolvers<string>();

test('two of a buyer run at once, the others in the order they came, and other buyers do not wait', async () => {
  const turns = createBuyerTurns();
  const began: string[] = [];
  const crowded: boolean[] = [];
  const ends = [gate(), gate(), gate(), gate()];
  const all = ends.map((end, index) =>
    turns.take('a', performance.now() + 60_000, (others) => {
      began.push(`a${index}`);
      crowded.push(others);
      return end.promise;
    }),
  );
  await turns.take('b', performance.now() + 60_000, async () => began.push('b'));
  expect(began).toEqual(['a0', 'a1', 'b']);
  ends[1]?.resolve('done');
  await all[1];
  expect(began).toEqual(['a0', 'a1', 'b', 'a2']);
  ends[2]?.reject(new Error('fails'));
  await expect(all[2]).rejects.toThrow('fails');
  expect(began.at(-1)).toBe('a3');
  for (const end of ends) end.resolve('done');
  await Promise.all([all[0], all[3]]);
  expect(crowded).toEqual([false, true, true, true]);
  expect(await turns.take('a', performance.now() + 60_000, async (others) => others)).toBe(false);
});

test('whose turn does not come in time does nothing, and takes no place from the next', async () => {
  const turns = createBuyerTurns();
  const ends = [gate(), gate()];
  const running = ends.map((end) => turns.take('a', performance.now() + 60_000, () => end.promise));
  expect(await turns.take('a', performance.now(), async () => 'ran')).toBeUndefined();
  const next = turns.take('a', performance.now() + 60_000, async () => 'ran');
  for (const end of ends) end.resolve('done');
  await Promise.all(running);
  expect(await next).toBe('ran');
});
