/** Guards of the gatekeeper that another rule hides in everyday work: each is met here without the other. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openInstallRedis, openSession, type Redis, silentLog } from '../../platform/index.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { readEpoch } from '../epoch.ts';
import { rebuildGate } from './rebuild.ts';
import { takeGenerations } from './take-generations.ts';

let shop: TestShop;
beforeEach(async () => {
  shop = await openTestShop('gatekeeper_lines');
  await shop.stock('hot', 10);
});
afterEach(async () => shop.close());

/** A rebuild, with something that happens just before its last look at the server. */
function rebuildWith(act: () => Promise<unknown>): Promise<number | undefined> {
  return rebuildGate(
    {
      pool: shop.pool,
      openSession: () => openSession(shop.databaseUrl, 'test gatekeeper'),
      log: silentLog,
      openInstallRedis: async () => beforeLook(await openInstallRedis(shop.server.url), 2, act),
    },
    { reason: 'test', before: 1 },
  );
}

function beforeLook(redis: Redis, which: number, act: () => Promise<unknown>): Redis {
  let looks = 0;
  return new Proxy(redis, {
    get(from, name) {
      const value: unknown = Reflect.get(from, name);
      if (typeof value !== 'function') return value;
      if (name !== 'info') return value.bind(from);
      return async (...args: unknown[]) => {
        if (++looks === which) await act();
        return Reflect.apply(value, from, args);
      };
    },
  });
}

it('P10 a rebuild that was overtaken opens nothing', async () => {
  const begin = () => shop.pool.query('UPDATE tinystore_inventory.gate_epoch SET epoch = epoch + 1, open = false');
  expect(await rebuildWith(begin)).toBe(undefined);
  expect(await readEpoch(shop.pool)).toMatchObject({ epoch: 3, open: false });
  await shop.gatekeeper.runOnce();
  expect(await readEpoch(shop.pool)).toMatchObject({ epoch: 4, open: true });
});

it('P10 a rebuild on a server that was demoted and promoted meanwhile opens nothing', async () => {
  const fail = async () => {
    await shop.redis.replicaof('127.0.0.1', 1);
    await shop.redis.replicaof('NO', 'ONE');
  };
  await expect(rebuildWith(fail)).rejects.toThrow('the Redis server changed during the rebuild');
  expect(await readEpoch(shop.pool)).toMatchObject({ epoch: 2, open: false });
});

it('P18 a load asked for in an epoch that is over, or not open yet, raises no generation', async () => {
  const generation = async () =>
    (await shop.pool.query('SELECT generation FROM tinystore_inventory.inventory_stock')).rows;
  const { rows } = await shop.pool.query<{ id: number }>(
    `INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('INSTALL', 'S1', 'hot') RETURNING id`,
  );
  const ids = rows.map((row) => row.id);
  const before = await generation();
  expect(await takeGenerations(shop.pool, ids, 2)).toEqual([]);
  await shop.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
  expect(await takeGenerations(shop.pool, ids, 1)).toEqual([]);
  expect(await generation()).toEqual(before);
  await shop.gatekeeper.runOnce();
});
