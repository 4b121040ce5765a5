/** PostgreSQL behind an `Io`: each statement is a step, BEGIN, COMMIT and opening a connection included. */
import type { PoolClient } from 'pg';
import type { Pool, Session } from '../../platform/index.ts';
import { intercept, type Method } from './intercept.ts';
import { type Io, type IoCall, NoReply, ProcessDied } from './io.ts';

const WORDS = 4;
const CONNECT: IoCall = { server: 'postgres', what: 'connect' };

export function watchPool(pool: Pool, io: Io): Pool {
  return intercept(pool, (name, method) => {
    if (name === 'query') return (...args) => statement(io, method, args);
    if (name !== 'connect') return undefined;
    const open = () => pool.connect();
    return () => opening(io, CONNECT, open, (client) => client.release(true)).then((client) => watchClient(client, io));
  });
}

/** An opener whose session is watched (P10). */
export function watchSessions(open: () => Promise<Session>, io: Io): () => Promise<Session> {
  return async () => {
    const session = await opening(io, CONNECT, open, (opened) => opened.end());
    return intercept(session, (name, method) =>
      name === 'query' ? (...args) => statement(io, method, args) : undefined,
    );
  };
}

/** A connection whose opening was not told to anybody ends with the process that asked for it. */
export async function opening<T>(io: Io, call: IoCall, open: () => Promise<T>, close: (opened: T) => unknown) {
  const opened: T[] = [];
  try {
    return await io(call, async () => {
      const connection = await open();
      opened.push(connection);
      return connection;
    });
  } catch (error) {
    await Promise.all(opened.map(close));
    throw asDriver(error);
  }
}

/** A session that lost an answer is gone, with the transaction it had begun, and so is one whose process has died. */
function watchClient(client: PoolClient, io: Io): PoolClient {
  let gone = false;
  return intercept(client, (name, method) => {
    if (name === 'query')
      return async (...args) => {
        if (gone) throw lost();
        return statement(io, method, args).catch((error: unknown) => {
          gone ||= error instanceof ProcessDied || isLost(error);
          throw error;
        });
      };
    if (name === 'release') return (broken) => method(gone || broken);
    return undefined;
  });
}

async function statement(io: Io, query: Method, args: unknown[]): Promise<unknown> {
  const call: IoCall = { server: 'postgres', what: firstWords(args[0]) };
  try {
    return await io(call, async () => query(...args));
  } catch (error) {
    throw asDriver(error);
  }
}

const LOST = 'Connection terminated unexpectedly';
/** What the driver says when a session ends under a statement: it has no code, and is `unknown` (P15). */
const lost = () => new Error(LOST);
const isLost = (error: unknown) => error instanceof Error && error.message === LOST;
const asDriver = (error: unknown) => (error instanceof NoReply ? lost() : error);

function firstWords(statement: unknown): string {
  const text = typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement;
  return String(text).trim().split(/\s+/).slice(0, WORDS).join(' ');
}
