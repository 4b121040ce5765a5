import { expect, it } from 'vitest';
import { BUYER_COOKIE, mintBuyer, readBuyer } from './buyer-cookie.ts';

const SECRET = 'a-secret-of-at-least-thirty-two-characters';

it('a guest is recognised by the cookie that was given out, among others', () => {
  const { id, setCookie } = mintBuyer(SECRET, true);
  const pair = setCookie.split(';')[0] ?? '';
  expect(readBuyer(`a=b; ${pair}; c=d`, SECRET)).toBe(id);
  expect(setCookie).toContain('HttpOnly; SameSite=Lax; Secure');
});

it('a cookie that was changed, or signed with another secret, names nobody', () => {
  const { id, setCookie } = mintBuyer(SECRET, false);
  const pair = setCookie.split(';')[0] ?? '';
  expect(readBuyer(pair, `${SECRET}-of-somebody-else`)).toBeUndefined();
  expect(readBuyer(pair.replace(id.slice(0, 4), 'ffff'), SECRET)).toBeUndefined();
  for (const cookie of [undefined, '', `${BUYER_COOKIE}=`, `${BUYER_COOKIE}=${id}`, `${BUYER_COOKIE}=.`])
    expect(readBuyer(cookie, SECRET)).toBeUndefined();
});
