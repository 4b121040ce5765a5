import { expect, test } from 'vitest';
import { readCorpus } from './corpus.ts';
import type { HistoriesFound } from './run-lanes.ts';
import { runLanes, runScripts } from './run-lanes.ts';

const MINUTE = 60_000;
const COUNT = 1000;
/** Another one each day, so that no day repeats the one before. */
const SEED = Math.floor(Date.now() / (24 * 60 * MINUTE));

const violations = ({ failures }: HistoriesFound) =>
  failures.map(({ seed, path, broken, words }) => ({ replay: `${seed}:${path}`, broken, words }));

test('Schedules that once broke the shop do it no more', { timeout: 5 * MINUTE }, async () => {
  const found = await runScripts(readCorpus().map(({ script }) => script));
  expect(violations(found)).toEqual([]);
});

test('Whatever buyers, money, operators, jobs and faults do in whatever order, nothing is oversold, lost, stranded or owed', {
  timeout: 20 * MINUTE,
}, async () => {
  const found = await runLanes({ count: COUNT, seed: SEED, lanes: 2 });
  expect(violations(found)).toEqual([]);
  expect(found.histories).toBeGreaterThanOrEqual(COUNT);
  // Histories in which nothing happens would prove nothing.
  for (const what of ['placed', 'notice PAID', 'notice LATE', '! hold', '! arrives late', '! redis restart empty'])
    expect(found.counts[what] ?? 0, what).toBeGreaterThan(COUNT / 50);
});
