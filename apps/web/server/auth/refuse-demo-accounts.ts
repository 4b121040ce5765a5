/** A production process does not start while an account that the demo seeded still exists. */
import type { Config, Sql } from '@holdfast/core/platform';

export async function refuseDemoAccounts(sql: Sql, profile: Config['process']['HOLDFAST_PROFILE']): Promise<void> {
  if (profile !== 'production') return;
  const { rows } = await sql.query<{ email: string }>(
    'SELECT "email" FROM ops."user" WHERE "demo" ORDER BY 1 LIMIT 10',
  );
  if (rows.length > 0)
    throw new Error(`production refuses to start: demo accounts exist (${rows.map((r) => r.email).join(', ')})`);
}
