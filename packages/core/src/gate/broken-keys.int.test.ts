/**
 * A key that no verb has written, of every kind and in each of the five places: nothing is sold from it, reconcile or the
 * gatekeeper puts it right by itself, and the figures are the ledger's again (P8, P9, P20).
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mint } from '../domain/index.ts';
import { openTestBooks, type TestBooks } from '../reconcile/books.testing.ts';
import { reconcile } from '../reconcile/index.ts';
import { until } from '../testing/until.ts';
import { skuKeys } from './keys.ts';

const PLACES = ['total', 'deducted', 'hold set', 'version', 'epoch'] as const;

const ANY_KEY: Record<string, (books: TestBooks, key: string) => Promise<unknown>> = {
  'of the wrong type': async ({ redis }, key) => {
    await redis.del(key);
    await redis.hset(key, 'a', 'b');
  },
  'holding garbage': ({ redis }, key) => redis.set(key, 'garbage'),
  'holding a huge number': ({ redis }, key) => redis.set(key, '9'.repeat(40)),
  'holding a negative number': ({ redis }, key) => redis.set(key, '-7'),
  'holding nothing': ({ redis }, key) => redis.set(key, ''),
};

/** Texts that look like what stands in an epoch key, under epoch `e`. */
const EPOCH_TEXTS: readonly ((e: number) => string)[] = [
  () => 'loading',
  () => 'loading:x:1',
  (e) => `loading:${e}:1`,
  (e) => `loading:${e + 3}:1`,
  (e) => `x:${e}:1`,
  (e) => `${e}:1:1`,
  () => '0:1',
  (e) => `${e + 8}:1`,
  (e) => `${e}:9`,
  (e) => `${e}:999999999999999`,
  () => '999999999999999:1',
  () => `${'9'.repeat(20)}:1`,
  (e) => `${e}:${'9'.repeat(20)}`,
];

describe('C26 a key at the gate that no verb has written', () => {
  let books: TestBooks;
  let count = 0;
  beforeAll(async () => {
    books = await openTestBooks('broken_keys');
  });
  afterEach(() => books.gatekeeper.runOnce());
  afterAll(async () => books.close());

  /** Ten units, three of them ordered, then the damage to one key. */
  const damaged = async (
    place: (typeof PLACES)[number],
    plant: (books: TestBooks, key: string) => Promise<unknown>,
  ) => {
    const skuId = `K${++count}`;
    await books.stock(skuId, 10);
    await books.order([{ skuId, quantity: 3 }]);
    await books.settle();
    const sku = { shopId: 'S1', skuId };
    await plant(books, skuKeys(sku)[PLACES.indexOf(place)] ?? '');
    return sku;
  };
  const heals = async (sku: { shopId: string; skuId: string }) => {
    const eight = { ...sku, reservationId: mint<'ReservationId'>(), quantity: 8 };
    expect((await books.gate.take([eight])).kind).not.toBe('taken');
    // What its jobs do within minutes.
    await until('the SKU is whole again', async () => {
      await reconcile(books.compare);
      await books.gatekeeper.runOnce();
      await books.gate.refresh();
      const [found] = await books.gate.read([sku]);
      const { rows } = await books.pool.query<{ generation: number }>(
        'SELECT generation FROM tinystore_inventory.inventory_stock WHERE sku_id = $1',
        [sku.skuId],
      );
      const whole = { total: 10, deducted: 3, holdCount: 1, generation: rows[0]?.generation };
      return found?.kind === 'read' && Object.entries(whole).every(([name, n]) => Reflect.get(found, name) === n);
    });
    const left = await books.order([{ skuId: sku.skuId, quantity: 8 }]);
    expect(left).toMatchObject({ code: 'SOLD_OUT', lines: [{ left: 7 }] });
    expect(await books.order([{ skuId: sku.skuId, quantity: 7 }])).toMatchObject({ kind: 'placed' });
  };

  for (const place of PLACES)
    for (const [damage, plant] of Object.entries(ANY_KEY))
      it(`the ${place} key ${damage}`, async () => heals(await damaged(place, plant)));

  for (const text of EPOCH_TEXTS)
    it(`the epoch key holding ${text(1)} in epoch 1`, async () => {
      const { epoch } = await books.gate.refresh();
      await heals(await damaged('epoch', ({ redis }, key) => redis.set(key, text(epoch))));
    });

  for (const place of PLACES)
    it(`reconcile names the ${place} key`, async () => {
      const sku = await damaged(place, ({ redis }, key) => redis.set(key, 'garbage'));
      await reconcile(books.compare);
      const found = (await books.log('FINDING')).filter((row) => row.skuId === sku.skuId);
      expect(found).toMatchObject([{ before: { key: skuKeys(sku)[PLACES.indexOf(place)] } }]);
      await heals(sku);
    });

  it('a SKU whose epoch key is broken keeps no other from being rebuilt', async () => {
    const sku = await damaged('epoch', ({ redis }, key) => redis.set(key, '999999999999:1'));
    await books.redis.script('FLUSH');
    await books.gatekeeper.rebuild();
    expect(await books.gate.refresh()).toMatchObject({ open: true });
    await heals(sku);
  });
});
