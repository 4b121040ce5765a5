/** The measure of "back to work": an order placed, paid and CONFIRMED, asked for again and again until it goes through. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Product, SOLD } from './product.ts';
import { field, newBuyer } from './shop-client.ts';

const AGAIN_MS = 50;
const LIMIT_MS = 90_000;

/** @returns seconds until the first purchase is CONFIRMED; buyers begin one after the other, and each keeps trying. */
export async function buyUntilConfirmed(product: Product): Promise<number> {
  const from = performance.now();
  const late = () => performance.now() - from > LIMIT_MS;
  const buyer = newBuyer();
  let last = 'nothing';
  const ask = async (work: () => ReturnType<Product['client']['place']>, name: string): Promise<string> => {
    for (;;) {
      const reply = await work();
      const found = field(reply, name);
      if (found || (reply.kind === 'refused' && reply.code === 'ALREADY_PAID')) return found;
      last = reply.kind === 'refused' ? reply.code : reply.kind === 'done' ? reply.text : reply.why;
      if (late()) throw new Error(`no purchase within ${LIMIT_MS} ms; the last answer was ${last}`);
      await sleep(AGAIN_MS);
    }
  };
  const tradeId = await ask(() => product.client.place(buyer, SOLD), 'tradeId');
  const intentId = await ask(() => product.client.startPayment(buyer, tradeId), 'intentId');
  let status = await readStatus(product, tradeId);
  let paid = intentId === '';
  while (status !== 'PAID') {
    if (!paid) paid = (await product.client.atProvider(buyer, intentId, 'pay')).kind === 'done';
    if (late()) throw new Error(`the purchase stays ${status} for ${LIMIT_MS} ms`);
    await sleep(AGAIN_MS);
    status = await readStatus(product, tradeId);
  }
  return (performance.now() - from) / 1000;
}

async function readStatus({ pool }: Product, tradeId: string): Promise<string> {
  const { rows } = await pool.query<{ status: string }>('SELECT status FROM tinystore_order.trade WHERE id = $1', [
    tradeId,
  ]);
  return rows[0]?.status ?? 'unknown';
}
