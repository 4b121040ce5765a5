import { join } from 'node:path';
import pg from 'pg';
import { mustRun } from '../process/run-command.ts';
import { ROOT } from './root.ts';

const LIMIT_MS = 5 * 60_000;

/** Brings a database up to the newest migration and adds the seed; both change nothing where it is already done. */
export async function fillDatabase(
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  for (const [step, file] of [
    ['migrate', 'migrate.ts'],
    ['seed', 'seed.ts'],
  ] as const) {
    const begun = Date.now();
    await mustRun(process.execPath, [join(ROOT, 'prisma', file)], {
      cwd: ROOT,
      env,
      signal,
      timeoutMs: LIMIT_MS,
    });
    say(`${step}: done in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  }
}

/** A new, empty database on the same server, in place of an old one of that name; answers its address. */
export async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(name)} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const next = new URL(url);
  next.pathname = `/${name}`;
  return next.href;
}
