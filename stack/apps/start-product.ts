import { throwAwayPort } from '../process/choose-port.ts';
import type { ThrowAway } from '../throw-away.ts';
import { createDatabase, fillDatabase } from './fill-database.ts';
import { type Apps, demoEnvironment, startApps } from './start-apps.ts';

/** The built product on a throw-away stack: a database of its own, migrated and seeded, with web and worker running. */
export async function startProduct(
  stack: ThrowAway,
  database: string,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Apps> {
  const DATABASE_URL = await createDatabase(stack.urls.DATABASE_URL, database);
  const env = demoEnvironment(stack.dir, { ...stack.urls, DATABASE_URL });
  await fillDatabase(env, signal, say);
  const port = throwAwayPort();
  const firstPorts = { web: port, webInternal: port + 10, workerInternal: port + 20 };
  return startApps({ dir: stack.dir, host: '127.0.0.1', firstPorts, env, signal });
}
