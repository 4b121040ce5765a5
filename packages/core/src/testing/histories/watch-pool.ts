/** A pool whose every statement is a step of a process; the connections behind it are shared by the whole lane. */
import type pg from 'pg';
import type { Pool } from '../../platform/index.ts';
import { ConnectionLost, type Io, type IoCall, ProcessDied } from './steps.ts';

type Query = (...args: unknown[]) => Promise<unknown>;

export function watchPool(pool: Pool, io: Io): Pool {
  const query: Query = (...args) => io({ server: 'postgres', what: wordsOf(args[0]) }, () => call(pool, args));
  const connect = async () => watchClient(await pool.connect(), io);
  return facade(pool, { query, connect });
}

/** A connection that broke, or whose process died, ends its transaction at once, as the server would. */
function watchClient(client: pg.PoolClient, io: Io): pg.PoolClient {
  let broken = false;
  let inTransaction = false;
  const query: Query = async (...args) => {
    const what = wordsOf(args[0]);
    const statement: IoCall = { server: 'postgres', what, bound: inTransaction || what === 'BEGIN' };
    if (broken) throw new ConnectionLost(statement);
    try {
      const result = await io(statement, () => call(client, args));
      if (what === 'BEGIN') inTransaction = true;
      if (what === 'COMMIT' || what === 'ROLLBACK') inTransaction = false;
      return result;
    } catch (error) {
      if (error instanceof ConnectionLost || error instanceof ProcessDied) {
        broken = true;
        await client.query('ROLLBACK');
      }
      throw error;
    }
  };
  return facade(client, { query, release: () => client.release() });
}

const call = (on: Pool | pg.PoolClient, args: readonly unknown[]) => Reflect.apply(on.query, on, args) as Promise<unknown>;

function facade<T extends object>(of: T, own: Record<string, unknown>): T {
  return new Proxy(of, { get: (target, name) => own[String(name)] ?? Reflect.get(target, name) });
}

function wordsOf(query: unknown): string {
  const text = typeof query === 'string' ? query : String((query as { text?: unknown }).text);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 60).trim();
}
