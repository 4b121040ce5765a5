/**
 * The guest buyer: a uuid v7 in a signed cookie. It grants nothing but this buyer's own cart and orders; the
 * buyer's row is written when the first cart line or order needs it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type BuyerId, buyerId, mint, UUID_PATTERN } from '@holdfast/core/domain';

export const BUYER_COOKIE = 'hf_buyer';
const ONE_YEAR_SECONDS = 31_536_000;

function signature(id: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(`buyer:${id}`).digest();
}

/** The buyer whom a Cookie header names, or undefined when there is none or the signature is not ours. */
export function readBuyer(cookieHeader: string | undefined, secret: string): BuyerId | undefined {
  for (const pair of cookieHeader?.split(';') ?? []) {
    const [name, value = ''] = pair.trim().split('=');
    if (name !== BUYER_COOKIE) continue;
    const [id = '', mac = ''] = value.split('.');
    const given = Buffer.from(mac, 'base64url');
    const wanted = signature(id, secret);
    if (UUID_PATTERN.test(id) && given.length === wanted.length && timingSafeEqual(given, wanted)) return buyerId(id);
  }
  return undefined;
}

export function mintBuyer(secret: string, https: boolean): { id: BuyerId; setCookie: string } {
  const id = mint<'BuyerId'>();
  const value = `${id}.${signature(id, secret).toString('base64url')}`;
  const setCookie = `${BUYER_COOKIE}=${value}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; HttpOnly; SameSite=Lax${https ? '; Secure' : ''}`;
  return { id, setCookie };
}
