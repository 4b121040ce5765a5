import { afterEach, describe, expect, test } from 'vitest';
import { setClockOffset } from '../testing/clock.ts';
import { checkInvariants } from '../testing/invariants.ts';
import { PATIENT } from '../testing/test-config.ts';
import { endByTime } from './end-by-time.ts';
import { type LateMoneyDesk, openLateMoneyDesk } from './payment/late/late-money-desk.testing.ts';
import { startPayment } from './payment/start-payment.ts';

const NODE_ZONE = process.env.TZ;
let desk: LateMoneyDesk;
afterEach(async () => {
  if (NODE_ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = NODE_ZONE;
  await desk.close();
});

/** Half an hour off the full hour, on both sides of UTC. Minutes as Date tells them: west is positive. */
const OFFSETS: Record<string, number> = { 'Asia/Kolkata': -330, 'America/St_Johns': 210, UTC: 0 };
/** So that summer time does not decide. */
const IN_WINTER = new Date('2026-01-15T00:00:00Z');

describe('C49 – Time zones do not move the end of a hold', () => {
  test.each([
    ['Asia/Kolkata', 'America/St_Johns'],
    ['America/St_Johns', 'Asia/Kolkata'],
    ['UTC', 'UTC'],
  ])('PostgreSQL in %s, Node in %s', async (databaseZone, nodeZone) => {
    process.env.TZ = nodeZone;
    desk = await openLateMoneyDesk('time_zones', PATIENT, databaseZone);
    const { pool, deps } = desk;
    expect(IN_WINTER.getTimezoneOffset()).toBe(OFFSETS[nodeZone]);
    expect((await pool.query('SHOW timezone')).rows).toEqual([{ TimeZone: databaseZone }]);
    await desk.stock('paid', 1);
    await desk.stock('unpaid', 1);
    const ahead = async (seconds: number) => {
      await setClockOffset(pool, seconds * 1000);
      await desk.gate.refresh();
    };

    const paid = await desk.place([{ skuId: 'paid', quantity: 1 }]);
    const unpaid = await desk.place([{ skuId: 'unpaid', quantity: 1 }]);
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM r.expire_at - t.created_at)::float AS seconds, t.pay_until = r.expire_at AS same,
         abs(extract(epoch FROM ops.clock_now() - t.created_at)) < 60 AS present
       FROM tinystore_order.trade t JOIN tinystore_inventory.inventory_reservation r ON r.trade_id = t.id`,
    );
    expect(rows).toEqual([1, 2].map(() => ({ seconds: 900, same: true, present: true })));

    await ahead(840);
    expect(await endByTime(deps, { limit: 10 })).toEqual({ ended: 0, failed: [] });
    const started = await startPayment(deps, paid);
    if (started.kind !== 'started') throw new Error(`payment refused: ${started.code}`);
    const { rows: deadline } = await pool.query<{ payUntil: Date }>(
      'SELECT pay_until AS "payUntil" FROM tinystore_order.trade WHERE id = $1',
      [paid.tradeId],
    );
    expect(started.payUntil).toBe(deadline[0]?.payUntil.toISOString());
    expect(await desk.notify(paid)).toMatchObject({ verdict: 'PAID' });

    await ahead(990);
    expect(await endByTime(deps, { limit: 10 })).toEqual({ ended: 1, failed: [] });
    await desk.settle();
    expect(await desk.books(paid)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'] });
    expect(await desk.books(unpaid)).toMatchObject({ trade: 'CLOSED', closeReason: 'TIMED_OUT', rows: ['EXPIRED'] });
    expect(await desk.atGate('paid')).toEqual({ deducted: 1, holds: 0 });
    expect(await desk.atGate('unpaid')).toEqual({ deducted: 0, holds: 0 });
    expect(await checkInvariants({ pool, gate: desk.gate })).toEqual([]);
  });

  test('Every column that holds a time holds an instant, whatever the zone of who reads it', async () => {
    desk = await openLateMoneyDesk('time_columns');
    const { rows } = await desk.pool.query<{ type: string; columns: string[] }>(
      `SELECT data_type AS type, array_agg(format('%s.%s.%s', table_schema, table_name, column_name)) AS columns
       FROM information_schema.columns
       WHERE (data_type LIKE 'timestamp%' OR data_type LIKE 'time %' OR data_type = 'date')
         AND table_schema NOT IN ('pg_catalog', 'information_schema') GROUP BY 1`,
    );
    expect(rows.map((row) => row.type)).toEqual(['timestamp with time zone']);
    expect(rows[0]?.columns.length).toBeGreaterThan(40);
  });
});
