import { expect, test } from 'vitest';
import { FAULTS } from './faults.ts';
import { printTable, sumUp } from './print-table.ts';
import { readResults } from './results.ts';
import { STEPS } from './steps.ts';
import { pageText, readPage } from './write-page.ts';

test('The matrix of docs/reliability.md is what its cells answered last', () => {
  expect(readPage()).toBe(pageText(readResults()));
});

test('Every step stands against every fault, and a cell that was never run is not shown as passed', () => {
  expect(printTable({}).split('\n')).toHaveLength(STEPS.length + 2);
  const { passed, failed, impossible, notRun } = sumUp({});
  expect([STEPS.length, passed, failed]).toEqual([19, 0, 0]);
  expect(impossible + notRun).toBe(STEPS.length * FAULTS.length);
});

test('A failed cell counts as failed, and its seconds as nothing', () => {
  const slow = { seconds: 80, stranded: 2, failure: 'no purchase' };
  const sum = sumUp({ produce: { '+2 s': slow, SIGTERM: { seconds: 3, stranded: 0 } } });
  expect(sum).toMatchObject({ passed: 1, failed: 1, p95: 3, stranded: 2 });
  expect(printTable({ produce: { '+2 s': slow } })).toContain('**FAILED**');
});
