import { afterAll, beforeAll, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { PATIENT } from '../testing/test-config.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop('out-of-memory', PATIENT);
});
afterAll(async () => shop.close());

test('P14 – A gate at its memory limit takes nothing, and frees and settles what it has', async () => {
  await shop.stock('K1', 10);
  const hold = (quantity: number) => ({ shopId: 'S1', skuId: 'K1', reservationId: mint<'ReservationId'>(), quantity });
  const [returned, sold] = [hold(2), hold(3)];
  await shop.gate.take([returned]);
  await shop.gate.take([sold]);
  await shop.redis.config('SET', 'maxmemory', '1');
  expect(await shop.gate.take([hold(1)])).toEqual({ kind: 'retry', reason: 'BUSY' });
  expect(await shop.gate.giveBack([returned])).toBe('done');
  expect(await shop.gate.settle([sold])).toBe('done');
  expect((await shop.gate.read([sold]))[0]).toMatchObject({ kind: 'read', deducted: 3, holdCount: 0 });
  await shop.redis.config('SET', 'maxmemory', '0');
  expect(await shop.gate.take([hold(7)])).toMatchObject({ kind: 'taken' });
});
