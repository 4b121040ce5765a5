/**
 * A pool whose every statement is a step of a process; the connections behind it are shared by the whole lane. What the
 * server does about a session that ends, or idles too long in a transaction, is done here at once.
 */
import type pg from 'pg';
import type { Pool, Session } from '../../platform/index.ts';
import { type Io, ProcessDied } from '../io/index.ts';
import { ConnectionLost, type StepCall } from './steps.ts';

type Query = (...args: unknown[]) => Promise<unknown>;

export interface WatchedPool {
  readonly pool: Pool;
  /** A connection of its own, for the gatekeeper. */
  openSession(): Promise<Session>;
  /** P12: whoever stands still within a transaction is cut off by the server, unless it has asked for more time. */
  cutOff(): void;
}

export function watchPool(shared: Pool, io: Io): WatchedPool {
  const open = new Set<WatchedClient>();
  const connect = async () => {
    const client = watchClient(await shared.connect(), io);
    open.add(client);
    return client;
  };
  const release = (client: WatchedClient) => {
    open.delete(client);
    client.release();
  };
  const query: Query = (...args) => io({ server: 'postgres', what: wordsOf(args[0]) }, () => call(shared, args));
  return {
    pool: facade(shared, {
      query,
      connect: async () => {
        const client = await connect();
        return facade(client.own, { query: client.query, release: () => release(client) });
      },
    }),
    async openSession() {
      const client = await connect();
      const query: Session['query'] = async (...args) => (await client.query(...args)) as never;
      return { query, end: async () => client.end().then(() => release(client)) };
    },
    cutOff: () => {
      for (const client of open) client.cutOff();
    },
  };
}

interface WatchedClient {
  readonly own: pg.PoolClient;
  readonly query: Query;
  release(): void;
  end(): Promise<void>;
  cutOff(): void;
}

function watchClient(own: pg.PoolClient, io: Io): WatchedClient {
  let [broken, busy, patient] = [false, false, false];
  let ended: Promise<unknown> = Promise.resolve();
  const end = () => {
    broken = true;
    // The end of a session is the end of its transaction and of its locks.
    ended = ended.then(() => own.query('ROLLBACK; SELECT pg_advisory_unlock_all()'));
    return ended;
  };
  const query: Query = async (...args) => {
    const what = wordsOf(args[0]);
    const statement: StepCall = { server: 'postgres', what, bound: busy || what.startsWith('BEGIN') };
    const run = async () => {
      if (broken) throw new ConnectionLost(statement);
      const result = await call(own, args);
      if (what.startsWith('BEGIN') || what.includes('pg_advisory_lock')) busy = true;
      if (what === 'COMMIT' || what === 'ROLLBACK') busy = false;
      patient ||= what.startsWith('SET LOCAL idle_in_transaction');
      return result;
    };
    if (broken) throw new ConnectionLost(statement);
    try {
      return await io(statement, run);
    } catch (error) {
      if ((error instanceof ConnectionLost || error instanceof ProcessDied) && !broken) await end();
      throw error;
    }
  };
  return {
    own,
    query,
    release: () =>
      void ended.then(
        () => own.release(),
        (error: Error) => own.release(error),
      ),
    end: async () => void (await (broken ? ended : end())),
    cutOff: () => {
      if (busy && !patient && !broken) void end();
    },
  };
}

const call = (on: Pool | pg.PoolClient, args: readonly unknown[]) =>
  Reflect.apply(on.query, on, args) as Promise<unknown>;

function facade<T extends object>(of: T, own: Record<string, unknown>): T {
  return new Proxy(of, { get: (target, name) => own[String(name)] ?? Reflect.get(target, name) });
}

function wordsOf(query: unknown): string {
  const text = typeof query === 'string' ? query : String((query as { text?: unknown }).text);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 60).trim();
}
