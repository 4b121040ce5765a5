/** After each flow: both books agree and every invariant of the design holds (design section 12). */
import { createPool } from '@holdfast/core/platform';
import { checkInvariants, waitUntilQuiet } from '@holdfast/core/testing';
import { expect } from '@playwright/test';

export async function expectBooksInOrder(): Promise<void> {
  const { DATABASE_URL: url, REDIS_URL: redisUrl } = process.env;
  if (!url || !redisUrl) throw new Error('DATABASE_URL and REDIS_URL name the stores of the product under test');
  const pool = createPool({
    url,
    name: 'holdfast-e2e',
    max: 2,
    statementTimeoutMs: 20_000,
    idleInTransactionMs: 20_000,
  });
  try {
    await waitUntilQuiet({ pool });
    expect(await checkInvariants({ pool, redisUrl })).toEqual([]);
  } finally {
    await pool.end();
  }
}
