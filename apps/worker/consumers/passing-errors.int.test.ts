import { checkInvariants, countDeadlocks, until } from '@holdfast/core/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OrderChain, openOrderChain } from '../order-chain.testing.ts';

let chain: OrderChain;
beforeEach(async () => {
  chain = await openOrderChain('passing', process.env.KAFKA_BROKERS);
  await chain.shop.stock('K1', 10);
  chain.shop.gatekeeper.start();
});
afterEach(() => chain.close());

/** Raises the code at the first two tries; a sequence counts on although the transaction rolls back. */
async function plant(table: string, moment: 'INSERT' | 'UPDATE', when: string, code: string): Promise<void> {
  const { pool } = chain.shop;
  await pool.query('CREATE SEQUENCE tries');
  await pool.query(
    `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN IF nextval('tries') <= 2 THEN RAISE EXCEPTION 'planted' USING ERRCODE = '${code}'; END IF; RETURN NEW; END $$`,
  );
  await pool.query(
    `CREATE TRIGGER planted BEFORE ${moment} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION planted()`,
  );
}
const ROWS = 'tinystore_inventory.inventory_reservation';
const letters = async () =>
  (await chain.shop.pool.query('SELECT type, status, attempts FROM tinystore_inventory.dead_letter')).rows;
const expectGate = async (deducted: number, holdCount: number) =>
  expect((await chain.shop.gate.read([{ shopId: 'S1', skuId: 'K1' }]))[0]).toMatchObject({ deducted, holdCount });
const expectSound = async () =>
  expect(await checkInvariants({ pool: chain.shop.pool, gate: chain.shop.gate })).toEqual([]);

for (const code of ['40P01', '40001', '55P03'])
  test(`C45 – ${code} twice inside reserve, confirm and release: each succeeds at the third try, and the gate moves once`, async () => {
    const [paid, cancelled] = [await chain.place(), await chain.place()];
    await chain.place();
    await chain.startConsumers();
    chain.startRelay();
    await chain.settled();
    await chain.stopRelay();

    await plant(ROWS, 'UPDATE', `NEW.status = 'CONFIRMED'`, code);
    await chain.pay(paid);
    chain.startRelay();
    await chain.settled();
    await unplant();
    expect(await letters()).toEqual([{ type: 'INVENTORY_CONFIRM', status: 'RESOLVED', attempts: 2 }]);
    await expectGate(3, 2);

    await plant(ROWS, 'UPDATE', `NEW.status = 'RELEASED'`, code);
    expect(await chain.cancel(cancelled)).toMatchObject({ kind: 'closed' });
    await chain.settled();
    await unplant();
    expect((await letters()).filter((letter) => letter.type === 'INVENTORY_RELEASE')).toEqual([
      { type: 'INVENTORY_RELEASE', status: 'RESOLVED', attempts: 2 },
    ]);
    await expectGate(2, 1);

    await plant(ROWS, 'INSERT', `NEW.status = 'PRE_DEDUCTED'`, code);
    await chain.place();
    await chain.settled();
    await unplant();
    expect((await letters()).filter((letter) => letter.type === 'INVENTORY_RESERVE_DB')).toEqual([
      { type: 'INVENTORY_RESERVE_DB', status: 'RESOLVED', attempts: 2 },
    ]);
    await expectGate(3, 2);
    await expectSound();
  }, 90_000);

test.each(['40P01', '57P01'])(
  'C45 – %s twice inside publish: the relay tries again, and nothing is sent for nothing',
  async (code) => {
    await plant('tinystore_order.outbox_sent', 'INSERT', 'true', code);
    await chain.place();
    await chain.startConsumers();
    chain.startRelay();
    await chain.settled();
    await expectGate(1, 1);
    expect(await letters()).toEqual([]);
    await expectSound();
  },
);

test('C44 – A confirm that falls into one deadlock is tried again and succeeds once', async () => {
  const { pool, databaseUrl } = chain.shop;
  const { tradeId, buyerId } = await chain.place();
  await chain.startConsumers();
  chain.startRelay();
  await chain.settled();
  // The confirm waits for whoever stands in its way, then for a lock of theirs: a circle, closed by the confirm.
  await pool.query('CREATE SEQUENCE tries');
  await pool.query(
    `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('tries') = 1 THEN
         WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))) LOOP
           PERFORM pg_sleep(0.01);
         END LOOP;
         PERFORM set_config('deadlock_timeout', '10ms', true), pg_advisory_xact_lock(4444);
       END IF;
       RETURN NEW; END $$`,
  );
  await pool.query(
    `CREATE TRIGGER planted BEFORE UPDATE ON ${ROWS} FOR EACH ROW WHEN (NEW.status = 'CONFIRMED') EXECUTE FUNCTION planted()`,
  );
  const other = new pg.Client({ connectionString: databaseUrl, options: '-c deadlock_timeout=60s' });
  other.on('error', () => undefined);
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock(4444)');
  await chain.pay({ tradeId, buyerId });
  await until(
    'the confirm is in its trigger',
    async () => (await pool.query('SELECT FROM tries WHERE is_called')).rowCount,
  );
  await other.query(`SELECT FROM ${ROWS} WHERE trade_id = $1 FOR UPDATE`, [tradeId]);
  await other.query('ROLLBACK');
  await other.end();
  await chain.settled();
  await unplant();
  expect(await letters()).toEqual([{ type: 'INVENTORY_CONFIRM', status: 'RESOLVED', attempts: 1 }]);
  await until('the server has counted the deadlock', async () => (await countDeadlocks(pool)) === 1);
  await expectGate(1, 0);
  await expectSound();
}, 90_000);

async function unplant(): Promise<void> {
  await chain.shop.pool.query('DROP FUNCTION planted CASCADE');
  await chain.shop.pool.query('DROP SEQUENCE tries');
}
