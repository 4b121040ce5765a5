/**
 * Every state of a trade against everything that can happen to it, on the real database: where trade, shop order and
 * payment intent stand afterwards. A pair that is not named changes none of the three.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAYMENT_INTENT, type PaymentIntentStatus, TRADE, type TradeStatus } from '../domain/index.ts';
import { deliverEvents } from '../testing/deliver-events.ts';
import { cancelOrder } from './cancel-order.ts';
import { endByTime } from './end-by-time.ts';
import { readBooks, setPayUntil } from './payment/payment-desk.testing.ts';
import { startPayment } from './payment/start-payment.ts';
import { openRefundDesk, type RefundDesk, type SoldTrade } from './refund/refund-desk.testing.ts';
import { refundOrder } from './refund/refund-order.ts';
import { receiveOrder } from './shipping/receive-order.ts';
import { shipOrder } from './shipping/ship-order.ts';

let desk: RefundDesk;
beforeAll(async () => {
  desk = await openRefundDesk('machines');
});
afterAll(() => desk.close());

const shopOrderOf = ({ shopOrderIds }: SoldTrade) => shopOrderIds[0] ?? '';
const HAPPENINGS = {
  pay: (trade: SoldTrade) => desk.notify(trade),
  confirm: () => deliverEvents(desk.pool),
  cancel: ({ tradeId, buyerId }: SoldTrade) => cancelOrder(desk.deps, { tradeId, by: { kind: 'buyer', buyerId } }),
  time: async ({ tradeId }: SoldTrade) => {
    await setPayUntil(desk.pool, tradeId, -1000);
    await endByTime(desk.deps, { limit: 10 });
  },
  ship: (trade: SoldTrade) => shipOrder(desk.deps, { shopOrderId: shopOrderOf(trade), by: desk.operator }),
  receive: (trade: SoldTrade) => receiveOrder(desk.deps, { shopOrderId: shopOrderOf(trade), buyerId: trade.buyerId }),
  refund: async ({ tradeId }: SoldTrade) => {
    const wish = { kind: 'rest', units: 'RESTOCK' } as const;
    const answer = await refundOrder(desk.deps, {
      tradeId,
      wish,
      idempotencyKey: `refund-${tradeId}`,
      by: desk.operator,
    });
    if (answer.kind === 'refunded') await desk.send();
  },
};
type Happening = keyof typeof HAPPENINGS;

const BY: Record<TradeStatus, readonly Happening[]> = {
  UNPAID: [],
  PAID_PENDING: ['pay'],
  PAID: ['pay', 'confirm'],
  SHIPPED: ['pay', 'confirm', 'ship'],
  RECEIVED: ['pay', 'confirm', 'ship', 'receive'],
  CLOSED: ['cancel'],
  REFUNDED: ['pay', 'confirm', 'refund'],
};
/** `trade shop-order intent` after what happened; the pairs that are not here change nothing. */
const MOVES: Partial<Record<`${TradeStatus} ${Happening}`, string>> = {
  'UNPAID pay': 'PAID_PENDING CONFIRMING SUCCEEDED',
  'UNPAID cancel': 'CLOSED RELEASING CLOSED',
  'UNPAID time': 'CLOSED RELEASED CLOSED',
  'PAID_PENDING confirm': 'PAID CONFIRMED SUCCEEDED',
  'PAID ship': 'SHIPPED SHIPPED SUCCEEDED',
  'PAID refund': 'REFUNDED REFUNDED REFUNDED',
  'SHIPPED receive': 'RECEIVED RECEIVED SUCCEEDED',
  'SHIPPED refund': 'REFUNDED REFUNDED REFUNDED',
  'RECEIVED refund': 'REFUNDED REFUNDED REFUNDED',
  // Late money: the trade itself moves only when it is revived (P28). The ledger's answer ends the shop order.
  'CLOSED pay': 'CLOSED RELEASING SUCCEEDED',
  'CLOSED confirm': 'CLOSED RELEASED CLOSED',
};
const stateOf = async ({ tradeId }: SoldTrade) => {
  const { trade, shopOrders, intent } = await readBooks(desk.pool, tradeId);
  return `${trade} ${shopOrders.join('+')} ${intent}`;
};
async function inState(state: TradeStatus): Promise<SoldTrade> {
  const trade = await desk.trade();
  const { rows } = await desk.pool.query<{ id: string }>(
    'SELECT id FROM tinystore_order.shop_order WHERE trade_id = $1',
    [trade.tradeId],
  );
  const sold = { ...trade, shopOrderIds: rows.map((row) => row.id) };
  for (const step of BY[state]) await HAPPENINGS[step](sold);
  return sold;
}

const pairs = (Object.keys(TRADE) as TradeStatus[]).flatMap((state) =>
  (Object.keys(HAPPENINGS) as Happening[]).map((happening) => [state, happening] as const),
);

test.each(pairs)(
  'A trade that is %s and meets %s goes where the table says, and nowhere else',
  async (state, happening) => {
    const trade = await inState(state);
    const before = await stateOf(trade);
    expect(before.split(' ')[0]).toBe(state);
    await HAPPENINGS[happening](trade);
    const after = await stateOf(trade);
    expect(after).toBe(MOVES[`${state} ${happening}`] ?? before);
    const to = after.split(' ')[0] as TradeStatus;
    expect(to === state || (TRADE[state] as readonly TradeStatus[]).includes(to)).toBe(true);
  },
);

type Notice = 'created' | 'processing' | 'failed' | 'succeeded';
const INTENTS: Record<PaymentIntentStatus, Record<Notice, PaymentIntentStatus>> = {
  CREATED: { created: 'CREATED', processing: 'CREATED', failed: 'FAILED', succeeded: 'SUCCEEDED' },
  PROCESSING: { created: 'PROCESSING', processing: 'PROCESSING', failed: 'FAILED', succeeded: 'SUCCEEDED' },
  FAILED: { created: 'FAILED', processing: 'FAILED', failed: 'FAILED', succeeded: 'SUCCEEDED' },
  SUCCEEDED: { created: 'SUCCEEDED', processing: 'SUCCEEDED', failed: 'SUCCEEDED', succeeded: 'SUCCEEDED' },
  CLOSED: { created: 'CLOSED', processing: 'CLOSED', failed: 'CLOSED', succeeded: 'SUCCEEDED' },
  REFUNDED: { created: 'REFUNDED', processing: 'REFUNDED', failed: 'REFUNDED', succeeded: 'REFUNDED' },
};
async function withIntent(status: PaymentIntentStatus): Promise<SoldTrade> {
  if (status === 'CLOSED') return inState('CLOSED');
  if (status === 'REFUNDED') return inState('REFUNDED');
  const trade = await inState('UNPAID');
  if (status !== 'CREATED') await startPayment(desk.deps, trade);
  if (status === 'FAILED') await desk.notify(trade, { type: 'failed' });
  if (status === 'SUCCEEDED') await desk.notify(trade);
  return trade;
}

test.each(
  Object.entries(INTENTS).flatMap(([from, row]) =>
    Object.entries(row).map(([notice, to]) => [from as PaymentIntentStatus, notice as Notice, to] as const),
  ),
)('A payment that is %s and hears "%s" is %s', async (from, notice, to) => {
  const trade = await withIntent(from);
  expect((await readBooks(desk.pool, trade.tradeId)).intent).toBe(from);
  await desk.notify(trade, { type: notice });
  expect((await readBooks(desk.pool, trade.tradeId)).intent).toBe(to);
  expect(to === from || (PAYMENT_INTENT[from] as readonly PaymentIntentStatus[]).includes(to)).toBe(true);
  await deliverEvents(desk.pool);
});
