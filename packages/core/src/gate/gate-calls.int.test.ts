/** Single calls of the gate whose end is lost, or whose scripts are; and the limits of sessions that take its lock. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { createMetrics, createPool, openGateRedis, openSession, silentLog } from '../platform/index.ts';
import { openTestBooks, type TestBooks } from '../reconcile/books.testing.ts';
import { sweepGhostHolds } from '../reconcile/index.ts';
import { openFaultProxy } from '../testing/fault-proxy.ts';
import { until } from '../testing/until.ts';
import { createGate } from './index.ts';

const AFTER_PROOF_AGE_MS = 120_000;

describe('one call of the gate', () => {
  let books: TestBooks;
  beforeEach(async () => {
    books = await openTestBooks('gate_calls');
  });
  afterEach(() => books.close());

  const buy = (skuId: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => books.order([{ skuId, quantity: 1 }])));
  const cleanUp = async () => {
    await books.settle();
    await books.ahead(AFTER_PROOF_AGE_MS);
    await sweepGhostHolds(books.sweep);
    await books.settle();
  };

  it('C43 the first 20 calls on a server without scripts come in parallel: 20 accepted', async () => {
    await books.stock('K1', 500);
    await books.redis.script('FLUSH');
    expect((await buy('K1', 20)).filter((result) => result.kind === 'placed')).toHaveLength(20);
    expect(await books.look('K1')).toMatchObject({ total: 500, deducted: 20 });
    expect(books.gate.state()).toMatchObject({ epoch: 1 });
  });

  it('C05 a hold given back twice and swept leaves one unit for three shoppers: one gets it, two are told sold out', async () => {
    await books.stock('K1', 1);
    const reservationId = await books.ghost('K1', 1);
    const hold = { shopId: 'S1', skuId: 'K1', reservationId, quantity: 1 };
    await books.gate.giveBack([hold]);
    await Promise.all([books.gate.giveBack([hold]), cleanUp()]);
    expect(await books.look('K1')).toEqual({ total: 1, deducted: 0, holds: [] });
    const results = await buy('K1', 3);
    expect(results.map((result) => (result.kind === 'placed' ? 'placed' : result.code)).sort()).toEqual([
      'SOLD_OUT',
      'SOLD_OUT',
      'placed',
    ]);
    expect(await books.look('K1')).toMatchObject({ deducted: 1 });
  });

  it('C19 the socket is cut while the take waits in the server: unknown, and the clean-up frees what ran unseen', async () => {
    await books.stock('K1', 10);
    const proxy = await openFaultProxy(Number(new URL(books.server.url).port));
    const redis = openGateRedis(proxy.before(books.server.url), 'cut', 5000);
    const common = { pool: books.pool, log: silentLog, metrics: createMetrics('cut'), waker: books.desk.waker };
    const gate = createGate({ ...common, redis });
    const sku = { shopId: 'S1', skuId: 'K1' };
    await until('the gate is read', async () => (await gate.read([sku]))[0]?.kind === 'read');
    // Delivered to a server that stands still, cut there, and run only when nobody listens any more.
    proxy.set({ kind: 'drop-reply', match: 'inventory:deducted:{S1}:K1' });
    books.server.pause();
    const take = gate.take([{ ...sku, reservationId: mint<'ReservationId'>(), quantity: 1 }]);
    await until('the take is delivered', () => proxy.struck() > 0);
    proxy.cut();
    expect(await take).toEqual({ kind: 'unknown' });
    books.server.resume();
    redis.disconnect();
    proxy.close();
    await cleanUp();
    expect(await books.look('K1')).toEqual({ total: 10, deducted: 0, holds: [] });
  });

  it('P12 every kind of session that may take the lock lets go of it by itself', async () => {
    const limits = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout'];
    const show = `SELECT ${limits.map((name) => `current_setting('${name}') AS ${name}`).join(', ')}`;
    const pool = createPool({ url: books.databaseUrl, name: 'as web opens it', max: 1 });
    const short = { lock_timeout: '500ms', statement_timeout: '2s', idle_in_transaction_session_timeout: '1s' };
    expect((await pool.query(show)).rows).toEqual([{ ...short, idle_session_timeout: '0' }]);
    await pool.end();
    const session = await openSession(books.databaseUrl, 'as the gatekeeper opens it');
    expect((await session.query(show)).rows).toEqual([{ ...short, idle_session_timeout: '1s' }]);
    await session.end();
  });
});
