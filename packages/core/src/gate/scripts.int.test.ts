import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { type Hold, type SkuRef, skuKeys } from './index.ts';
import { scriptsFor } from './scripts.ts';

describe('gate scripts', () => {
  let shop: TestShop;
  let sku: SkuRef;
  let count = 0;
  beforeAll(async () => {
    shop = await openTestShop('scripts');
  });
  afterAll(async () => shop.close());
  beforeEach(async () => {
    sku = { shopId: 'S1', skuId: `K${++count}` };
    await shop.stock(sku.skuId, 10);
  });

  const hold = (quantity: number): Hold => ({ ...sku, reservationId: mint<'ReservationId'>(), quantity });
  const read = async () => (await shop.gate.read([sku]))[0];
  const raw = async () => {
    const [total, deducted, uncommit, version, epoch] = skuKeys(sku);
    return {
      values: await shop.redis.mget(total, deducted, version, epoch),
      holds:
        (await shop.redis.type(uncommit)) === 'zset' ? await shop.redis.zrange(uncommit, 0, '-1', 'WITHSCORES') : [],
    };
  };

  it('C27 every hold has its own entry, named by its reservation; a hold already there counts once', async () => {
    const [a, b] = [hold(2), hold(2)];
    await Promise.all([shop.gate.take([a]), shop.gate.take([b]), shop.gate.take([a])]);
    expect(await read()).toMatchObject({ deducted: 4, holdCount: 2 });
    const page = await shop.gate.readHolds(sku, 0, 10);
    expect(page.kind === 'read' && page.holds.map((h) => [h.reservationId, h.quantity]).sort()).toEqual(
      [
        [a.reservationId, 2],
        [b.reservationId, 2],
      ].sort(),
    );
  });

  it('C05 C03 a hold is given back once, however often it is asked', async () => {
    const [a, b] = [hold(3), hold(4)];
    await shop.gate.take([a]);
    await shop.gate.take([b]);
    await Promise.all(Array.from({ length: 20 }, () => shop.gate.giveBack([a, a])));
    expect(await read()).toMatchObject({ deducted: 4, holdCount: 1 });
  });

  it('a settled hold leaves the set and stays deducted', async () => {
    const a = hold(3);
    await shop.gate.take([a]);
    await shop.gate.settle([a]);
    await shop.gate.settle([a]);
    await shop.gate.giveBack([a]);
    expect(await read()).toMatchObject({ deducted: 3, holdCount: 0 });
  });

  it('P4 capacities that arrive in any order leave the greatest', async () => {
    const keys = skuKeys(sku);
    const { sha } = scriptsFor(shop.gate.state()?.epoch ?? 1).raise;
    for (const total of ['12', '15', '15', '11']) await shop.redis.evalsha(sha, keys.length, ...keys, total);
    expect(await read()).toMatchObject({ total: 15, deducted: 0 });
  });

  it('P36 whatever may have changed a SKU raises its version, a look or a refusal never', async () => {
    const version = async () => {
      const reading = await read();
      return reading?.kind === 'read' ? reading.version : Number.NaN;
    };
    const [a, b] = [hold(3), hold(4)];
    const rises = async (act: () => Promise<unknown>) => {
      const before = await version();
      await act();
      return (await version()) - before;
    };
    expect(await rises(() => shop.gate.take([a]))).toBe(1);
    expect(await rises(() => shop.gate.take([b]))).toBe(1);
    expect(await rises(() => shop.gate.take([b]))).toBe(0);
    expect(await rises(() => shop.gate.take([hold(9)]))).toBe(0);
    expect(await rises(() => shop.gate.readHolds(sku, 0, 10))).toBe(0);
    expect(await rises(() => shop.gate.settle([a]))).toBe(1);
    expect(await rises(() => shop.gate.giveBack([b]))).toBe(1);
    expect(await rises(() => shop.gate.giveBack([b]))).toBe(1);
  });

  it('all lines of a call are taken, or none', async () => {
    await shop.stock(`${sku.skuId}b`, 1);
    const other = { shopId: 'S1', skuId: `${sku.skuId}b`, reservationId: mint<'ReservationId'>(), quantity: 2 };
    const before = await raw();
    expect(await shop.gate.take([hold(1), other])).toEqual({ kind: 'sold-out', left: [10, 1] });
    expect(await raw()).toEqual(before);
  });

  it('one SKU twice in a call is refused before anything is taken', async () => {
    const before = await raw();
    expect(await shop.gate.take([hold(6), hold(6)])).toEqual({ kind: 'retry', reason: 'BUSY' });
    expect(await raw()).toEqual(before);
  });

  const defects: [string, (keys: string[]) => Promise<unknown>][] = [
    ['the hold set is a plain string', (keys) => shop.redis.set(keys[2] ?? '', 'x')],
    ['the version is not a number', (keys) => shop.redis.set(keys[3] ?? '', 'x')],
    ['deducted is a float', (keys) => shop.redis.set(keys[1] ?? '', '1e+08')],
  ];
  for (const [defect, plant] of defects)
    it(`C26 a failing script changes nothing: ${defect}`, async () => {
      const held = hold(1);
      await shop.gate.take([held]);
      const keys = skuKeys(sku);
      const saved = await Promise.all(keys.map((key) => shop.redis.dumpBuffer(key)));
      await plant(keys);
      const before = await raw();
      expect(await shop.gate.take([hold(1)])).toEqual({ kind: 'retry', reason: 'BUSY' });
      expect(await shop.gate.giveBack([held])).toBe('closed');
      expect(await shop.gate.settle([held])).toBe('closed');
      expect(await read()).toMatchObject({ kind: 'unknown', why: 'BROKEN_KEY' });
      expect(await raw()).toEqual(before);
      for (const [i, key] of keys.entries()) await shop.redis.restore(key, 0, saved[i] ?? '', 'REPLACE');
      expect(await shop.gate.giveBack([held])).toBe('done');
      expect(await read()).toMatchObject({ deducted: 0, holdCount: 0 });
    });

  it('C26 when ZADD is denied, the first write, nothing has changed', async () => {
    await shop.redis.acl('SETUSER', 'default', '-zadd');
    const before = await raw();
    expect(await shop.gate.take([hold(1)])).toEqual({ kind: 'retry', reason: 'BUSY' });
    expect(await raw()).toEqual(before);
    await shop.redis.acl('SETUSER', 'default', '+zadd');
    expect(await shop.gate.take([hold(1)])).toMatchObject({ kind: 'taken' });
  });

  for (const [total, deducted] of [
    ['100000000', '99999999'],
    ['100000000000000', '99999999999999'],
    ['9007199254740991', '9007199254740990'],
  ] as const)
    it(`C51 counters keep every digit at ${total}`, async () => {
      const keys = skuKeys(sku);
      await shop.redis.mset(keys[0], total, keys[1], deducted);
      const one = hold(1);
      expect(await shop.gate.take([one])).toMatchObject({ kind: 'taken' });
      expect(await shop.redis.mget(keys[0], keys[1])).toEqual([total, total]);
      expect(await shop.gate.take([hold(1)])).toEqual({ kind: 'sold-out', left: [0] });
      await shop.gate.giveBack([one]);
      expect(await shop.redis.mget(keys[0], keys[1])).toEqual([total, deducted]);
    });

  it('a script of another epoch, or of none, sells nothing', async () => {
    const keys = skuKeys(sku);
    await shop.redis.set(keys[4], '999:1');
    expect(await shop.gate.take([hold(1)])).toEqual({ kind: 'retry', reason: 'GATE_CLOSED' });
    await shop.gatekeeper.runOnce();
    expect(await shop.gate.refresh()).toMatchObject({ epoch: 1000, open: true });
    await shop.redis.set(keys[4], 'loading:1000:9');
    expect(await shop.gate.take([hold(1)])).toEqual({ kind: 'retry', reason: 'BUSY' });
    expect(await read()).toMatchObject({ kind: 'unknown', why: 'BUSY' });
  });
});
