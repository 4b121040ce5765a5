/**
 * One database connection of its own, for whoever keeps a lock or a snapshot between statements. It is never opened
 * again: its end shows in the query that needs it, and with it the server lets go of everything it held (P12).
 */
import pg from 'pg';
import { EXACT_NUMBERS, type Sql } from './postgres.ts';

export interface Session extends Sql {
  end(): Promise<void>;
}

/** With the limits of a connection that may take the gate lock; idle outside a transaction it is ended after 1 s. */
export async function openSession(url: string, name: string): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 2000,
    types: EXACT_NUMBERS,
    options:
      '-c lock_timeout=500 -c statement_timeout=2000 -c idle_in_transaction_session_timeout=1000 -c idle_session_timeout=1000',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
