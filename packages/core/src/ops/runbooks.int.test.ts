/** A runbook is read in a hurry: its queries run as they stand, on the present schema. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { ROOT } from '../testing/read-sources.ts';
import { listIncidents, openIncident } from './index.ts';

const FOLDER = join(ROOT, 'docs/runbooks');
const WRITES = /^WITH \w+ AS \(\s*UPDATE/m;
const UUID = '0197a2c4-0000-7000-8000-000000000000';
/** Where the text does not set a variable itself. */
const USUAL: Record<string, string> = { shop: 'S1', sku: 'K1', key: UUID, event: 'evt_1' };

interface Block {
  readonly file: string;
  readonly sql: string;
}

const blocks: readonly Block[] = readdirSync(FOLDER).flatMap((file) =>
  [...readFileSync(join(FOLDER, file), 'utf8').matchAll(/^```sql\n(.*?)^```/gms)].map(([, text = '']) => ({
    file,
    sql: fill(text, { ...USUAL, ...settings(text) }),
  })),
);

/** What psql would put in. */
function fill(text: string, values: Record<string, string>): string {
  return text
    .replaceAll(/^\\set .*$/gm, '')
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/(?<!:):'(\w+)'/g, (_, name: string) => `'${values[name] ?? UUID}'`)
    .replaceAll(/(?<![:\w]):(\w+)\b/g, (_, name: string) => values[name] ?? '1');
}

function settings(text: string): Record<string, string> {
  const set = [...text.matchAll(/\\set (\w+) '?([^'\n:]*)'?/g)].map(([, name = '', value = '']) => [name, value]);
  return Object.fromEntries(set.filter(([, value]) => value !== '...'));
}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('runbooks');
});
afterAll(() => database.drop());

const queries = blocks.filter(({ sql }) => !WRITES.test(sql));

test('There is something to look at in every runbook', () => {
  expect([...new Set(queries.map(({ file }) => file))].sort()).toEqual(readdirSync(FOLDER).sort());
});

test.each(queries)('The queries of $file run and change nothing', async ({ sql }) => {
  await expect(database.pool.query(`BEGIN READ ONLY; ${sql}; COMMIT`)).resolves.toBeDefined();
});

test('An incident that is closed by hand leaves actor and reason, once', async () => {
  const { pool } = database;
  await openIncident(pool, { kind: 'OVER_ADMITTED', subject: UUID, detail: {} });
  const [open] = await listIncidents(pool, { status: 'OPEN' });
  const statement = blocks.find(({ file, sql }) => file === 'README.md' && WRITES.test(sql));
  const sql = statement?.sql.replace('id = 42', `id = ${open?.id}`) ?? '';
  await pool.query(sql);
  await pool.query(sql);
  expect(await listIncidents(pool, { status: 'OPEN' })).toEqual([]);
  const { rows } = await pool.query('SELECT actor, target, reason FROM ops.audit_log');
  expect(rows).toEqual([
    { actor: 'ada@shop.example', target: `incident ${open?.id}`, reason: 'refunded at the provider, re_123' },
  ]);
});

test('A refund that is sent at once leaves actor and reason', async () => {
  const { pool } = database;
  await pool.query(
    `INSERT INTO tinystore_order.refund (id, event_id, cause, amount_minor, currency, idempotency_key, actor, reason, status, next_attempt_at)
     VALUES ($1::uuid, 'evt_1', 'UNMATCHED', 100, 'EUR', 'unmatched:evt_1', 'system', 'test', 'FAILED', ops.clock_now() + interval '1 hour')`,
    [UUID],
  );
  const statement = blocks.find(({ file, sql }) => file === 'refund-not-done.md' && WRITES.test(sql));
  await pool.query(statement?.sql ?? '');
  const { rows } = await pool.query('SELECT next_attempt_at <= ops.clock_now() AS due FROM tinystore_order.refund');
  expect(rows).toEqual([{ due: true }]);
  const audit = await pool.query(`SELECT actor FROM ops.audit_log WHERE action = 'refund.send-now' AND target = $1`, [
    `refund ${UUID}`,
  ]);
  expect(audit.rows).toEqual([{ actor: 'ada@shop.example' }]);
});
