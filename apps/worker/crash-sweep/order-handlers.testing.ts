/** What buyers do up to the money, and what the clock does about it. */
import { mint } from '@holdfast/core/domain';
import { switchGateMode } from '@holdfast/core/ledger';
import { cancelOrder, extendPayment, type PlaceOrderCommand, placeOrder } from '@holdfast/core/order';
import { runEndByTime } from '../jobs/end-by-time.ts';
import type { SweptHandler } from './sweep.testing.ts';
import type { SweepShop } from './sweep-shop.testing.ts';

const PRICE = 1999;
const line = (skuId: string, shopId = 'S1') => ({ shopId, skuId, quantity: 2, unitPriceMinor: PRICE });
const waker = { wake: () => undefined };

/** The same request once more: it is placed, as the same order if there was one, and there is only one. */
async function orderAgain({ shop, pool }: SweepShop, command: PlaceOrderCommand): Promise<string | undefined> {
  const read = async () =>
    (
      await pool.query<{ id: string }>(
        'SELECT id FROM tinystore_order.trade WHERE buyer_id = $1 AND idempotency_key = $2',
        [command.buyerId, command.key],
      )
    ).rows.map(({ id }) => id);
  const before = await read();
  const answer = await placeOrder(shop.desk, command);
  const after = await read();
  if (answer.kind !== 'placed') return `sent again it is refused: ${answer.code}`;
  const same = after.length === 1 && after[0] === answer.tradeId && (before.length === 0 || before[0] === after[0]);
  return same ? undefined : `sent again: ${before.length} orders before, ${after.length} after`;
}

function place(name: string, given: (scene: SweepShop) => Promise<PlaceOrderCommand>): SweptHandler {
  return {
    name,
    async given(scene) {
      const command = await given(scene);
      return { act: ({ desk }) => placeOrder(desk, command), again: () => orderAgain(scene, command) };
    },
  };
}

async function mixed(scene: SweepShop): Promise<PlaceOrderCommand> {
  const [atGate, ordinary] = [await scene.sku(), await scene.sku()];
  const command = { shopId: 'S1', skuId: ordinary, to: 'DATABASE', actor: 'test', reason: 'ordinary' } as const;
  await switchGateMode({ pool: scene.pool, waker }, command);
  await scene.gatekeeper.runOnce();
  const coupon = `C${mint().slice(-12).toUpperCase()}`;
  await scene.pool.query(
    `INSERT INTO tinystore_order.coupon (code, kind, value, currency, usage_limit, valid_from, valid_until)
     VALUES ($1, 'FIXED', 100, 'EUR', 5, ops.clock_now() - interval '1 minute', ops.clock_now() + interval '1 day')`,
    [coupon],
  );
  return scene.command(atGate, { lines: [line(atGate), line(ordinary)], coupon });
}

/** @param recorded the ledger has its rows already */
function cancel(name: string, recorded: boolean): SweptHandler {
  return {
    name,
    async given(scene) {
      const { tradeId, buyerId } = await scene.placed();
      if (recorded) await scene.recover();
      return { act: ({ trades }) => cancelOrder(trades, { tradeId, by: { kind: 'buyer', buyerId } }) };
    },
  };
}

export const ORDER_HANDLERS: readonly SweptHandler[] = [
  place('place an order', async (scene) => scene.command(await scene.sku())),
  place('place an order in two shops', async (scene) => {
    const skuId = await scene.sku(['S1', 'S2']);
    return scene.command(skuId, { lines: [line(skuId, 'S1'), line(skuId, 'S2')] });
  }),
  place('place an order of both modes with a coupon', mixed),
  cancel('cancel an order', true),
  cancel('cancel an order that is not recorded yet', false),
  {
    name: 'extend the time to pay',
    async given(scene) {
      const { tradeId, buyerId } = await scene.placed();
      return {
        act: ({ trades }) => extendPayment({ ...trades, extensionSeconds: 300 }, { tradeId, buyerId }),
      };
    },
  },
  {
    name: 'end by time',
    async given(scene) {
      await scene.placed();
      await scene.recover();
      await scene.placed();
      await scene.pass(16 * 60_000);
      return { act: ({ jobs }) => runEndByTime(jobs) };
    },
  },
];
