/** A guest's signed cookie, made as the web process makes it, so that each order has a buyer of its own. */
import { createHmac } from 'node:crypto';
import { mint } from '@holdfast/core/domain';

export function newBuyerCookie(secret: string): string {
  const id = mint<'BuyerId'>();
  const mac = createHmac('sha256', secret).update(`buyer:${id}`).digest('base64url');
  return `hf_buyer=${id}.${mac}`;
}
