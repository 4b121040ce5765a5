import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Gate } from '../gate/index.ts';
import { openTestBooks, type TestBooks } from './books.testing.ts';
import { compareSkus } from './compare.ts';

let books: TestBooks;
beforeEach(async () => {
  books = await openTestBooks('moving');
  await books.stock('K1', 10);
});
afterEach(() => books.close());

test('P36 – An order that comes between two looks is no difference: the SKU is looked at again and agrees', async () => {
  let looks = 0;
  const gate: Gate = {
    ...books.gate,
    read: async (skus) => {
      const found = await books.gate.read(skus);
      if (++looks === 1) await books.placed('K1', 3);
      return found;
    },
  };
  const [found] = await compareSkus({ ...books.compare, gate }, [{ shopId: 'S1', skuId: 'K1' }]);
  expect(found).toMatchObject({ kind: 'judged', gate: { deducted: 3 }, explanation: { agrees: true } });
  expect(looks).toBe(4);
});
