import { expect, it } from 'vitest';
import { limitWords } from './limit-words.ts';

it('a shopper reads the limits of a SKU before an order refuses', () => {
  const none = { orderLimit: null, buyerLimit: null, buyerWindowSeconds: null };
  expect(limitWords(none)).toBeUndefined();
  expect(limitWords({ ...none, orderLimit: 1 })).toBe('At most 1 in one order.');
  expect(limitWords({ orderLimit: 1, buyerLimit: 2, buyerWindowSeconds: 86_400 })).toBe(
    'At most 1 in one order and 2 for one buyer within 24 hours.',
  );
  expect(limitWords({ ...none, buyerLimit: 3, buyerWindowSeconds: 1800 })).toBe(
    'At most 3 for one buyer within an hour.',
  );
});
