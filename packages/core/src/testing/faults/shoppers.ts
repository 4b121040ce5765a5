/** A steady load of orders, payments and cancels; everybody without an answer asks again with the same key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Buyer, field, newBuyer, type Reply, type ShopClient } from './shop-client.ts';

export interface Shoppers {
  /** Orders that their buyers were told of. */
  readonly acknowledged: readonly string[];
  /** Answers that are none: each is a failure of the cell. */
  readonly untyped: readonly string[];
  /** Sends each order that is under way once more, with the same key. */
  repeatOrders(): Promise<void>;
  /** Ends after the requests under way. */
  stop(): Promise<void>;
}

const SHOPPERS = 3;
const PAUSE_MS = 120;
const AGAIN_MS = 150;

export function startShoppers(client: ShopClient, skuId: string): Shoppers {
  const acknowledged: string[] = [];
  const untyped: string[] = [];
  const ordering = new Set<Buyer>();
  let stopping = false;
  const note = (reply: Reply) => {
    if (reply.kind === 'untyped') untyped.push(reply.why);
    return reply;
  };
  const place = async (buyer: Buyer) => {
    const reply = note(await client.place(buyer, skuId));
    const tradeId = field(reply, 'tradeId');
    if (tradeId) acknowledged.push(tradeId);
    return tradeId;
  };
  const order = async (buyer: Buyer): Promise<string> => {
    ordering.add(buyer);
    try {
      for (;;) {
        const tradeId = await place(buyer);
        if (tradeId || stopping) return tradeId;
        await sleep(AGAIN_MS);
      }
    } finally {
      ordering.delete(buyer);
    }
  };
  const shop = async (first: number) => {
    for (let n = first; !stopping; n++) {
      const buyer = newBuyer();
      const tradeId = await order(buyer);
      if (!tradeId) return;
      if (n % 3 === 2) note(await client.cancel(buyer, tradeId));
      else {
        const intentId = field(note(await client.startPayment(buyer, tradeId)), 'intentId');
        if (intentId) note(await client.atProvider(buyer, intentId, 'pay'));
      }
      await sleep(PAUSE_MS);
    }
  };
  const shopping = Array.from({ length: SHOPPERS }, (_, n) => shop(n));
  return {
    acknowledged,
    untyped,
    repeatOrders: async () => void (await Promise.all([...ordering].map(place))),
    async stop() {
      stopping = true;
      await Promise.all(shopping);
    },
  };
}
