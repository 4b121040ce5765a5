import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { until } from '../testing/until.ts';
import { liveHolds } from './index.ts';

/** Units that committed orders hold, by the ledger's own query. */
async function promised(shop: TestShop, skuId: string): Promise<number> {
  const holds = await liveHolds(shop.pool, [{ shopId: 'S1', skuId }]);
  return holds.reduce((units, hold) => units + hold.quantity, 0);
}

const counters = async (shop: TestShop, skuId: string) => (await shop.gate.read([{ shopId: 'S1', skuId }]))[0];

/** Orders in waves of 20, so that the fault in the middle meets orders in every phase. */
async function orderInWaves(shop: TestShop, skuId: string, count: number, atHalf: () => Promise<unknown>) {
  const results = [];
  for (let n = 0; n < count; n += 20) {
    const wave = Array.from({ length: 20 }, () => shop.order([{ skuId, quantity: 1 }]));
    if (n === count / 2) await atHalf();
    results.push(...(await Promise.all(wave)));
  }
  return results;
}

describe('a gate that is lost in the middle of a sale', () => {
  let shop: TestShop;
  beforeEach(async () => {
    shop = await openTestShop('redis-loss');
    await shop.stock('hot', 150);
    shop.gatekeeper.start();
  });
  afterEach(async () => shop.close());

  for (const data of ['kept', 'empty'] as const)
    it(`C43 C06 Redis killed in the middle of 200 orders and restarted with its data ${data} sells no unit twice and opens by itself`, async () => {
      const results = await orderInWaves(shop, 'hot', 200, async () => {
        await pause(2);
        await shop.server.kill();
        await shop.server.start(data);
      });
      const placed = results.filter((r) => r.kind === 'placed').length;
      expect(placed).toBe(await promised(shop, 'hot'));
      expect(placed).toBeLessThanOrEqual(150);
      // Nobody was told "sold out" while units were free, and the rest can be sold once the gate is open again.
      const settled = await until('the gate is open with exact counters', async () => {
        const found = await counters(shop, 'hot');
        return found?.kind === 'read' && found.deducted === placed && found.holdCount === placed && found;
      });
      expect(settled).toMatchObject({ total: 150 });
      const rest = await Promise.all(
        Array.from({ length: 200 - placed }, () => shop.order([{ skuId: 'hot', quantity: 1 }])),
      );
      expect(rest.filter((r) => r.kind === 'placed')).toHaveLength(150 - placed);
      expect(await promised(shop, 'hot')).toBe(150);
    });

  it('C43 SCRIPT FLUSH every 50 ms costs no order', async () => {
    await shop.stock('flushed', 500);
    let flushing = true;
    const flusher = (async () => {
      for (let n = 0; flushing && n < 1000; n++) {
        await shop.redis.script('FLUSH');
        await pause(50);
      }
    })();
    const results = [];
    for (let n = 0; n < 500; n += 50)
      results.push(
        ...(await Promise.all(Array.from({ length: 50 }, () => shop.order([{ skuId: 'flushed', quantity: 1 }])))),
      );
    flushing = false;
    await flusher;
    expect(results.filter((r) => r.kind === 'placed')).toHaveLength(500);
    expect(await counters(shop, 'flushed')).toMatchObject({ deducted: 500, holdCount: 500 });
    expect(shop.gate.state()).toMatchObject({ epoch: 1 });
  });

  it('C06 after FLUSHALL nothing is sold from the empty gate; exactly the free units can be sold after the rebuild', async () => {
    const first = await Promise.all(Array.from({ length: 40 }, () => shop.order([{ skuId: 'hot', quantity: 1 }])));
    expect(first.filter((r) => r.kind === 'placed')).toHaveLength(40);
    await shop.redis.flushall();
    const results = await Promise.all(Array.from({ length: 130 }, () => shop.order([{ skuId: 'hot', quantity: 1 }])));
    expect(results.filter((r) => r.kind === 'placed')).toHaveLength(110);
    expect(await promised(shop, 'hot')).toBe(150);
    expect(await counters(shop, 'hot')).toMatchObject({ total: 150, deducted: 150, holdCount: 150 });
  });

  for (const key of ['total', 'deducted', 'epoch', 'version'])
    it(`C06 a lost ${key} key is neither zero nor unlimited: the gate is rebuilt and the figures are the ledger's`, async () => {
      await Promise.all(Array.from({ length: 10 }, () => shop.order([{ skuId: 'hot', quantity: 3 }])));
      await shop.redis.del(`inventory:${key}:{S1}:hot`);
      const results = await Promise.all(Array.from({ length: 130 }, () => shop.order([{ skuId: 'hot', quantity: 1 }])));
      expect(results.filter((r) => r.kind === 'placed')).toHaveLength(120);
      expect(await counters(shop, 'hot')).toMatchObject({ total: 150, deducted: 150, holdCount: 130 });
    });

  it('C06 a key lost while nobody buys is noticed by a read, and by the next gate effect', async () => {
    await shop.redis.del('inventory:total:{S1}:hot');
    await until('the gate is rebuilt after a read', async () => {
      const found = await counters(shop, 'hot');
      return found?.kind === 'read' && found.epoch === 2 && found.total === 150;
    });
    await shop.redis.del('inventory:epoch:{S1}:hot');
    await shop.pool.query(
      `INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id) VALUES ('RAISE', 'S1', 'hot')`,
    );
    await until('the gate is rebuilt after an effect', async () => (await shop.gate.refresh()).epoch === 3);
  });

  it('C19 with Redis stopped an order ends within its limit, retryable, and nothing runs later unseen', async () => {
    await shop.server.kill();
    expect(await shop.order([{ skuId: 'hot', quantity: 1 }])).toMatchObject({ kind: 'refused', code: 'GATE_CLOSED' });
    await shop.server.start('kept');
    await until('the gate opens again', async () => (await counters(shop, 'hot'))?.kind === 'read');
    expect(await counters(shop, 'hot')).toMatchObject({ deducted: 0, holdCount: 0 });
  });

  it('C10 a take without a reply is abandoned, and its hold never becomes a second one', async () => {
    shop.server.pause();
    const waiting = shop.order([{ skuId: 'hot', quantity: 2 }]);
    await pause(1200);
    shop.server.resume();
    const result = await waiting;
    expect(await promised(shop, 'hot')).toBe(result.kind === 'placed' ? 2 : 0);
    const held = result.kind === 'placed' ? 2 : 0;
    await until('only what the order holds is left', async () => {
      const found = await counters(shop, 'hot');
      return found?.kind === 'read' && found.deducted === held;
    });
  });
});
