import { expect, it } from 'vitest';
import { changesNothing, isSameOrigin } from './same-origin.ts';

const SHOP = 'https://shop.example';

it('a change is accepted from the shop itself and from callers that are no browser', () => {
  expect(isSameOrigin({ headers: { origin: SHOP, 'sec-fetch-site': 'same-origin' } }, SHOP)).toBe(true);
  expect(isSameOrigin({ headers: { origin: SHOP } }, SHOP)).toBe(true);
  expect(isSameOrigin({ headers: {} }, SHOP)).toBe(true);
});

it('a change from another site, a sibling host or an opaque origin is refused', () => {
  for (const origin of ['https://elsewhere.example', 'https://a.shop.example', 'http://shop.example', 'null'])
    expect(isSameOrigin({ headers: { origin } }, SHOP)).toBe(false);
  for (const site of ['cross-site', 'same-site', 'none'])
    expect(isSameOrigin({ headers: { 'sec-fetch-site': site } }, SHOP)).toBe(false);
});

it('only reads pass without a look at the origin', () => {
  expect(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH'].filter(changesNothing)).toEqual([
    'GET',
    'HEAD',
    'OPTIONS',
  ]);
});
