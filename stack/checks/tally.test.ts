import { expect, test } from 'vitest';
import { addUp, exitCode, NOTHING, ONE_FAILED, ONE_PASSED, readPlaywright, readVitest, withExitCode } from './tally.ts';

test('The sum counts every phase', () => {
  expect(addUp([ONE_PASSED, ONE_FAILED, { passed: 40, failed: 0 }, NOTHING])).toEqual({
    passed: 41,
    failed: 1,
  });
});

test('A run in which nothing ran is not a success', () => {
  expect(exitCode(NOTHING)).toBe(1);
  expect(exitCode(ONE_FAILED)).toBe(1);
  expect(exitCode(ONE_PASSED)).toBe(0);
});

test('A test file that does not load counts as a failure', () => {
  const broken = { status: 'failed', assertionResults: [] };
  const red = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] };
  const report = { numPassedTests: 1, numFailedTests: 1, testResults: [broken, red] };
  expect(readVitest(report)).toEqual({ passed: 1, failed: 2 });
});

test('A browser test that passed only at the second try counts as a failure', () => {
  const report = { stats: { expected: 3, unexpected: 1, flaky: 1 }, errors: [{}] };
  expect(readPlaywright(report)).toEqual({ passed: 3, failed: 3 });
});

test('A runner that ends badly without a failed test counts as one', () => {
  expect(withExitCode({ passed: 5, failed: 0 }, 1)).toEqual({ passed: 5, failed: 1 });
  expect(withExitCode({ passed: 5, failed: 2 }, 1)).toEqual({ passed: 5, failed: 2 });
});
