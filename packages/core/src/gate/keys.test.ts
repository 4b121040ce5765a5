import { expect, it } from 'vitest';
import { skuKeys } from './keys.ts';

/** The part Redis Cluster hashes: what stands between the first braces. */
const hashTag = (key: string) => /\{([^}]+)\}/.exec(key)?.[1];

it('C46 the five keys of a SKU share one slot, for 1 000 pairs of shop and SKU', () => {
  for (let n = 0; n < 1000; n++) {
    const keys = skuKeys({ shopId: `shop-${n % 37}`, skuId: `SKU.${n}` });
    expect(new Set(keys).size).toBe(5);
    expect(new Set(keys.map(hashTag))).toEqual(new Set([`shop-${n % 37}`]));
  }
});
