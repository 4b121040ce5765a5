import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { until } from '../testing/until.ts';

const run = promisify(execFile);
const program = new URL('../testing/place-one-order.ts', import.meta.url).pathname;

describe('C23 a crash between gate and answer leaves stock low for a while, never high', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await openTestShop('crash');
  });
  afterAll(async () => shop.close());

  const read = async (skuId: string) => (await shop.gate.read([{ shopId: 'S1', skuId }]))[0];
  const placeInProcess = async (skuId: string, stop: string, same: { key: string; buyerId: string }) => {
    const command = JSON.stringify({
      ...same,
      traceId: 'crash',
      lines: [{ shopId: 'S1', skuId, quantity: 1, unitPriceMinor: 1999 }],
    });
    return run(process.execPath, [program, shop.databaseUrl, shop.server.url, stop, command]).then(
      ({ stdout }) => JSON.parse(stdout) as { kind: string; tradeId: string },
      (error: { signal?: string }) => ({ kind: `died by ${error.signal}`, tradeId: '' }),
    );
  };
  const tradesOf = async (same: { key: string }) =>
    (
      await shop.pool.query<{ id: string }>('SELECT id FROM tinystore_order.trade WHERE idempotency_key = $1', [
        same.key,
      ])
    ).rows;

  for (const [point, orders] of [
    ['order.before-commit', 0],
    ['order.after-commit', 1],
  ] as const)
    it(`killed ${point}: ${orders} orders, and the same key then leads to exactly one`, async () => {
      const skuId = point.replaceAll('.', '-');
      await shop.stock(skuId, 10);
      const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
      expect(await placeInProcess(skuId, `${point}:kill`, same)).toMatchObject({ kind: 'died by SIGKILL' });
      expect(await tradesOf(same)).toHaveLength(orders);
      expect(await read(skuId)).toMatchObject({ deducted: 1, holdCount: 1 });
      // The dead request's lease ends by itself after 10 s; here it is taken away.
      const noted = `order:attempt:{${same.buyerId}}:${same.key}`;
      const { ids } = JSON.parse((await shop.redis.get(noted)) ?? '{}') as { ids: unknown[] };
      expect(ids).toHaveLength(1);
      await shop.redis.set(noted, JSON.stringify({ busyUntil: 0, ids }));
      const again = await placeInProcess(skuId, '', same);
      expect(again).toMatchObject({ kind: 'placed' });
      expect(await tradesOf(same)).toEqual([{ id: again.tradeId }]);
      // The lost hold was abandoned under the key's lock and given back: no sweep needed for a buyer's own retry.
      expect(await read(skuId)).toMatchObject({ deducted: 1, holdCount: 1 });
    });

  /** What the database does about a commit whose client is gone. */
  const FATES = [
    ['finishes it', 1],
    ['gives it up', 0],
  ] as const;
  it.each(FATES)(
    'C23 – killed while the database runs the commit, which then %s: %i orders, and the same key leads to exactly one',
    async (fate, orders) => {
      const skuId = `during-${orders}`;
      await shop.stock(skuId, 10);
      await shop.pool.query(
        `CREATE OR REPLACE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NEW; END $$`,
      );
      await shop.pool.query(
        'CREATE TRIGGER lingers BEFORE INSERT ON tinystore_order.trade FOR EACH ROW EXECUTE FUNCTION linger()',
      );
      const same = { key: mint<'key'>(), buyerId: mint<'BuyerId'>() };
      const lines = [{ shopId: 'S1', skuId, quantity: 1, unitPriceMinor: 1999 }];
      const order = JSON.stringify({ ...same, traceId: 'crash', lines });
      const child = spawn(process.execPath, [program, shop.databaseUrl, shop.server.url, '', order]);
      const running = async () =>
        (
          await shop.pool.query<{ pid: number }>(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
          )
        ).rows[0]?.pid;
      const pid = await until('the database is at it', running);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      expect(await ended).toEqual([null, 'SIGKILL']);
      if (fate === 'gives it up') await shop.pool.query('SELECT pg_terminate_backend($1)', [pid]);
      await until('that session has ended its statement', async () => (await running()) === undefined);
      await shop.pool.query('DROP TRIGGER lingers ON tinystore_order.trade');
      await until(`${orders} orders`, async () => (await tradesOf(same)).length === orders);
      expect(await read(skuId)).toMatchObject({ deducted: 1, holdCount: 1 });
      const noted = `order:attempt:{${same.buyerId}}:${same.key}`;
      const { ids } = JSON.parse((await shop.redis.get(noted)) ?? '{}') as { ids: unknown[] };
      await shop.redis.set(noted, JSON.stringify({ busyUntil: 0, ids }));
      const again = await placeInProcess(skuId, '', same);
      expect(again).toMatchObject({ kind: 'placed' });
      expect(await tradesOf(same)).toEqual([{ id: again.tradeId }]);
      expect(await read(skuId)).toMatchObject({ deducted: 1, holdCount: 1 });
    },
  );

  it('100 failing commits with the process alive: each hold is back at once', async () => {
    await shop.stock('failing', 10);
    await shop.pool.query(
      `CREATE FUNCTION refuse_trade() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '23514'; END $$`,
    );
    await shop.pool.query(
      'CREATE TRIGGER planted BEFORE INSERT ON tinystore_order.trade FOR EACH ROW EXECUTE FUNCTION refuse_trade()',
    );
    const failed = await Promise.all(
      Array.from({ length: 100 }, () =>
        shop.order([{ skuId: 'failing', quantity: 1 }]).then(
          (r) => (r.kind === 'refused' ? r.code : r.kind),
          () => 'failed',
        ),
      ),
    );
    await shop.pool.query('DROP TRIGGER planted ON tinystore_order.trade');
    expect(failed.every((kind) => kind === 'failed' || kind === 'SOLD_OUT')).toBe(true);
    expect(await read('failing')).toMatchObject({ deducted: 0, holdCount: 0 });
    expect(await shop.order([{ skuId: 'failing', quantity: 10 }])).toMatchObject({ kind: 'placed' });
  });
});
