/**
 * C48 at full size: one SKU with 200 000 holds among all the others is loaded anew, compared and swept while units are
 * taken and given back 100 times a second. Answers what the slow log of Redis says of the shop's scripts. A server that
 * had to wait for the processor shows up there too, so the best of a few rounds counts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mint } from '@holdfast/core/domain';
import { createGate, type Gate } from '@holdfast/core/gate';
import { createMetrics, type Redis, silentLog } from '@holdfast/core/platform';
import { reconcile, reinstallSku, sweepGhostHolds } from '@holdfast/core/reconcile';
import type { OwnBooks } from '../prepare/own-books.ts';
import { percentile } from './percentile.ts';

const HOLDS = 200_000;
const SLOW_US = 5000;
const ROUNDS = 3;
const APART_MS = 10;
const HOT = { shopId: 'shop-0', skuId: 'hot' };
/** One that is neither loaded anew nor large. */
const COOL = { shopId: 'shop-0', skuId: 'sku-0000000' };
const AGES = { proofAgeMs: 60_000, incidentAgeMs: 30 * 60_000 };

export interface SlowScripts {
  /** Runs of scripts at or above 5 ms, in the best round. */
  readonly slow: number;
  readonly longestMs: number;
  readonly keysCalled: boolean;
  readonly takes: number;
  readonly takeP99Ms: number;
}

export async function findSlowScripts(books: OwnBooks): Promise<SlowScripts> {
  const { pool, redis } = books;
  await pool.query(
    `WITH held AS (
       INSERT INTO tinystore_inventory.inventory_reservation (reservation_id, shop_id, sku_id, quantity, status, order_id, held_at)
       SELECT gen_random_uuid(), $1, $2, 1, 'PRE_DEDUCTED', gen_random_uuid(), ops.clock_now() - n * interval '1 ms' FROM generate_series(1, $3) n RETURNING 1),
     stock AS (INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity, reserved_quantity)
       SELECT $1, $2, $3, count(*) FROM held)
     INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('INSTALL', $1, $2)`,
    [HOT.shopId, HOT.skuId, HOLDS],
  );
  await redis.config('SET', 'slowlog-log-slower-than', SLOW_US, 'slowlog-max-len', 1000);
  const rounds: SlowScripts[] = [];
  while (rounds.length < ROUNDS && rounds.every((round) => round.slow > 0)) rounds.push(await oneRound(books));
  const [best] = rounds.sort((a, b) => a.slow - b.slow);
  if (!best) throw new Error('no round was run');
  return best;
}

async function oneRound({ pool, redis, gatekeeper }: OwnBooks): Promise<SlowScripts> {
  const shared = { pool, log: silentLog, metrics: createMetrics('bench'), waker: { wake: () => undefined }, ...AGES };
  const gate = createGate({ ...shared, redis });
  await redis.slowlog('RESET');
  await redis.config('RESETSTAT');
  const buyers = takeOverAndOver(gate);
  await gatekeeper.runOnce();
  await reconcile({ ...shared, gate });
  await sweepGhostHolds({ ...shared, gate });
  const { rows } = await pool.query<{ generation: number }>(
    'SELECT generation FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2',
    [HOT.shopId, HOT.skuId],
  );
  await reinstallSku(pool, { ...HOT, generation: rows[0]?.generation ?? 0, actor: 'bench', cause: 'bench' });
  await gatekeeper.runOnce();
  const latenciesMs = await buyers.end();
  const scripts = await slowScripts(redis);
  return {
    slow: scripts.length,
    longestMs: Math.max(0, ...scripts) / 1000,
    keysCalled: /^cmdstat_keys:/m.test(await redis.info('commandstats')),
    takes: latenciesMs.length,
    takeP99Ms: percentile(latenciesMs, 0.99),
  };
}

/** Microseconds of each logged script run. */
async function slowScripts(redis: Redis): Promise<number[]> {
  const entries = (await redis.slowlog('GET', '1000')) as [number, number, number, string[]][];
  return entries.filter(([, , , args]) => args[0]?.toLowerCase() === 'evalsha').map(([, , us]) => us);
}

function takeOverAndOver(gate: Gate) {
  const latenciesMs: number[] = [];
  let going = true;
  const run = async () => {
    while (going) {
      const hold = { ...COOL, quantity: 1, reservationId: mint<'ReservationId'>() };
      const sent = performance.now();
      const taken = await gate.take([hold]);
      if (taken.kind === 'taken') latenciesMs.push(performance.now() - sent);
      await gate.giveBack([hold]);
      await sleep(APART_MS);
    }
  };
  const running = run();
  return {
    async end() {
      going = false;
      await running;
      return latenciesMs.sort((a, b) => a - b);
    },
  };
}
