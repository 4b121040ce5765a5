/**
 * Checks the invariants of a running installation: node check-invariants.ts, with DATABASE_URL and REDIS_URL. Prints
 * each violation and exits 1 when there are any. With --wait it waits until nothing is under way first.
 */
import { createPool } from '../platform/index.ts';
import { checkInvariants, waitUntilQuiet } from './invariants.ts';

const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
if (!databaseUrl || !redisUrl) {
  console.error('DATABASE_URL and REDIS_URL must name the stores to check');
  process.exit(2);
}
const pool = createPool({
  url: databaseUrl,
  name: 'holdfast-invariants',
  max: 2,
  statementTimeoutMs: 120_000,
  idleInTransactionMs: 120_000,
});
try {
  if (process.argv.includes('--wait')) await waitUntilQuiet({ pool });
  const violations = await checkInvariants({ pool, redisUrl });
  for (const { invariant, sentence, subject, detail } of violations)
    console.log(`invariant ${invariant}: ${sentence}: ${subject}: ${detail}`);
  console.log(violations.length === 0 ? 'all invariants hold' : `${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await pool.end();
}
