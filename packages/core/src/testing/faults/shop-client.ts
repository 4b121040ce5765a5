/** A buyer's browser over HTTP: asks, and says plainly how it was answered. */
import { createHmac } from 'node:crypto';
import { FAILURES, mint } from '../../domain/index.ts';
import { TEST_PRICE_MINOR } from '../put-on-sale.ts';
import { TEST_SECRETS } from '../test-config.ts';

export type Reply =
  | { readonly kind: 'done'; readonly text: string }
  /** One of the closed list of refusals. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The connection ended, or nothing came in time. */
  | { readonly kind: 'no-answer'; readonly why: string }
  /** An answer that no caller could understand. */
  | { readonly kind: 'untyped'; readonly why: string };

export interface Buyer {
  readonly key: string;
  readonly cookie: string;
}

const ANSWER_LIMIT_MS = 7000;

export function newBuyer(): Buyer {
  const id = mint<'BuyerId'>();
  const mac = createHmac('sha256', TEST_SECRETS.BUYER_COOKIE_SECRET).update(`buyer:${id}`).digest('base64url');
  return { key: mint<'key'>(), cookie: `hf_buyer=${id}.${mac}` };
}

export function openShopClient(base: string) {
  const ask = async (buyer: Buyer, path: string, json: unknown): Promise<Reply> => {
    try {
      const answer = await fetch(`${base}${path}`, {
        method: 'POST',
        body: JSON.stringify({ json }),
        headers: { 'content-type': 'application/json', cookie: buyer.cookie },
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      });
      return judge(answer.status, await answer.text(), path);
    } catch (error) {
      return { kind: 'no-answer', why: String(error) };
    }
  };
  return {
    place: (buyer: Buyer, skuId: string) => {
      const line = { shopId: 'S1', skuId, quantity: 1, unitPriceMinor: TEST_PRICE_MINOR };
      return ask(buyer, '/api/trpc/order.place', { key: buyer.key, lines: [line] });
    },
    startPayment: (buyer: Buyer, tradeId: string) => ask(buyer, '/api/trpc/order.startPayment', { tradeId }),
    cancel: (buyer: Buyer, tradeId: string) => ask(buyer, '/api/trpc/order.cancel', { tradeId }),
    atProvider: (buyer: Buyer, intentId: string, action: 'pay' | 'decline') =>
      ask(buyer, `/demo-provider/${intentId}/${action}`, {}),
  };
}
export type ShopClient = ReturnType<typeof openShopClient>;

export const field = (reply: Reply, name: string) =>
  (reply.kind === 'done' && new RegExp(`"${name}":"([^"]+)"`).exec(reply.text)?.[1]) || '';

function judge(status: number, text: string, path: string): Reply {
  if (status === 200) return { kind: 'done', text };
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? '';
  if (Object.hasOwn(FAILURES, code)) return { kind: 'refused', code };
  // The provider is a stranger that happens to live here: what it says when it fails is its own affair.
  if (path.startsWith('/demo-provider/')) return { kind: 'no-answer', why: `provider: ${status}` };
  return { kind: 'untyped', why: `${path}: ${status} ${text.slice(0, 300)}` };
}
