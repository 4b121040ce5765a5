/** What operators and buyers do after the sale, through the procedures, on a shop with a real gate. */
import { mint } from '@holdfast/core/domain';
import { judgeNotices, sendRefunds } from '@holdfast/core/order';
import { createMetrics, loadConfig, silentLog } from '@holdfast/core/platform';
import { checkInvariants, deliverEvents, openTestShop, type TestShop } from '@holdfast/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operator, Role } from '../auth/create-auth.ts';
import { openStores, type WebDeps } from '../open-stores.ts';
import { createContext } from './context.ts';
import { appRouter } from './router.ts';

let shop: TestShop;
let deps: WebDeps;
let closeStores: () => Promise<void>;

beforeAll(async () => {
  shop = await openTestShop('after_sale_procedures');
  const { deps: opened, close } = await openStores({
    config: loadConfig(Object.fromEntries(Object.entries(flat(shop.config)))),
    log: silentLog,
    metrics: createMetrics('web'),
    dev: false,
  });
  deps = opened;
  closeStores = close;
});
afterAll(async () => {
  await settled();
  expect(await checkInvariants({ pool: shop.pool, gate: shop.gate })).toEqual([]);
  await closeStores();
  await shop.close();
});

function flat({ stores, secrets, process: about }: TestShop['config']): Record<string, string> {
  const given = Object.entries({ ...stores, ...secrets, HOLDFAST_PROFILE: about.HOLDFAST_PROFILE });
  return Object.fromEntries(
    given.filter(([, value]) => value !== undefined).map(([key, value]) => [key, String(value)]),
  );
}

const ids = { requestId: 'request', traceId: 'trace' };
const request = { cookie: undefined, headers: () => new Headers(), ids, setCookie: () => undefined };
function as(who: { buyerId?: string; role?: Role }) {
  const context = createContext(deps, request as Parameters<typeof createContext>[1]);
  const operator: Operator | undefined = who.role && {
    id: 'o',
    name: 'Otto',
    email: 'otto@shop.example',
    role: who.role,
  };
  return appRouter.createCaller({
    ...context,
    buyerId: who.buyerId as typeof context.buyerId,
    needBuyer: () => who.buyerId as ReturnType<typeof context.needBuyer>,
    operator: async () => operator,
  });
}

/** An order of these lines, paid and CONFIRMED, and its shop orders by shop. */
async function bought(lines: Parameters<TestShop['order']>[0]) {
  const buyerId = mint<'BuyerId'>();
  const placed = await shop.order(lines, { buyerId });
  if (placed.kind !== 'placed') throw new Error(placed.message);
  const { tradeId } = placed;
  await deliverEvents(shop.pool);
  await shop.pool.query(
    `INSERT INTO tinystore_order.payment_event (event_id, intent_ref, trade_id, kind, attempt, amount_minor, currency, payload)
     SELECT $2, p.id::text, t.id, 'SUCCEEDED', 1, t.total_minor, t.currency, '{}'
     FROM tinystore_order.trade t JOIN tinystore_order.payment_intent p ON p.trade_id = t.id WHERE t.id = $1`,
    [tradeId, `evt_${mint()}`],
  );
  // The provider's own books know of the money as well.
  await shop.pool.query(
    `WITH intent AS (
       INSERT INTO demo_provider.intent (intent_ref, attempt, amount_minor, currency, expires_at)
       SELECT id::text, attempt, amount_minor, currency, expires_at FROM tinystore_order.payment_intent WHERE trade_id = $1
       RETURNING intent_ref, amount_minor, currency)
     INSERT INTO demo_provider.charge (charge_ref, intent_ref, attempt, status, amount_minor, currency)
     SELECT 'ch_' || intent_ref, intent_ref, 1, 'SUCCEEDED', amount_minor, currency FROM intent`,
    [tradeId],
  );
  await judgeNotices(deps.payments, { limit: 10 });
  await settled();
  const order = await as({ buyerId }).order.read({ tradeId });
  return { tradeId, buyerId, shopOrders: order.shopOrders.map(({ id }) => id) };
}
/** Events and gate effects under way are done. */
async function settled(): Promise<void> {
  await deliverEvents(shop.pool);
  await shop.gatekeeper.runOnce();
}
const gateOf = async (skuId: string) => (await shop.gate.read([{ shopId: 'S1', skuId }]))[0];
const reason = 'the customer called';

test('C07 – after a refund with restock the shop can sell those units again, at the gate and in the ledger', async () => {
  await shop.stock('K1', 10);
  const { tradeId } = await bought([{ skuId: 'K1', quantity: 4 }]);
  expect(await gateOf('K1')).toMatchObject({ total: 10, deducted: 4, holdCount: 0 });
  const operator = as({ role: 'operator' });
  const { shopOrders } = await operator.ops.order({ tradeId });
  const lines = [{ shopOrderId: shopOrders[0]?.id ?? '', skuId: 'K1', quantity: 2, units: 'RESTOCK' as const }];
  const wish = { tradeId, wish: { kind: 'lines' as const, lines }, reason, key: 'refund-0001' };
  const answers = [await operator.ops.refund(wish), await operator.ops.refund(wish)];
  expect(answers[1]).toEqual(answers[0]);
  await sendRefunds(deps.payments, { limit: 10 });
  await settled();
  expect(await gateOf('K1')).toMatchObject({ total: 12, deducted: 4, holdCount: 0 });
  expect(await shop.order([{ skuId: 'K1', quantity: 9 }])).toMatchObject({ code: 'SOLD_OUT', lines: [{ left: 8 }] });
  const all = await bought([{ skuId: 'K1', quantity: 8 }]);
  expect((await operator.ops.order({ tradeId: all.tradeId })).status).toBe('PAID');
  expect(await gateOf('K1')).toMatchObject({ total: 12, deducted: 12 });
});

test('an order goes from shipped to received to returned, and its page says at each step what is allowed', async () => {
  await shop.stock('K2', 5);
  const { tradeId, buyerId, shopOrders } = await bought([{ skuId: 'K2', quantity: 2 }]);
  const [shopOrderId = ''] = shopOrders;
  const [buyer, operator] = [as({ buyerId }), as({ role: 'operator' })];
  const read = async () => {
    const { status, moves, shopOrderMoves, afterSale } = await buyer.order.read({ tradeId });
    return { status, moves, can: shopOrderMoves[shopOrderId], afterSale };
  };
  expect(await read()).toMatchObject({
    status: 'PAID',
    moves: { cancel: expect.stringContaining('refund it instead') },
  });
  const sentence = (await read()).moves.cancel ?? 'no sentence';
  await expect(buyer.order.cancel({ tradeId })).rejects.toThrow(sentence);
  expect((await read()).can).toMatchObject({ ship: null, receive: expect.any(String), return: expect.any(String) });
  await operator.ops.ship({ shopOrderId, carrier: 'Gull', trackingCode: 'G-1' });
  expect(await read()).toMatchObject({
    status: 'SHIPPED',
    can: { receive: null, return: null },
    afterSale: { parcels: [{ carrier: 'Gull', trackingCode: 'G-1' }] },
  });
  await buyer.order.receive({ shopOrderId });
  const { returnItemId } = await buyer.order.requestReturn({
    ...{ tradeId, shopOrderId, skuId: 'K2', quantity: 1 },
    ...{ reason: 'too small', key: 'return-0001' },
  });
  await operator.ops.answerReturn({ returnItemId, answer: { kind: 'receive', units: 'DAMAGED' }, reason });
  await sendRefunds(deps.payments, { limit: 10 });
  await settled();
  expect(await read()).toMatchObject({
    status: 'RECEIVED',
    afterSale: {
      refunds: [{ status: 'SUCCEEDED', amountMinor: 1999 }],
      returns: [{ status: 'REFUNDED', units: 'DAMAGED' }],
      parcels: [{ lines: [{ returned: 1, restocked: 0, refundedMinor: 1999 }] }],
    },
  });
});

test('P29 – of a trade with three shops, one is refunded after payment, and its money is exactly its share', async () => {
  for (const shopId of ['S1', 'S2', 'S3']) await shop.stock('K3', 5, shopId);
  const { tradeId, shopOrders } = await bought(
    ['S1', 'S2', 'S3'].map((shopId, n) => ({ shopId, skuId: 'K3', quantity: n + 1 })),
  );
  const operator = as({ role: 'operator' });
  const before = await operator.ops.order({ tradeId });
  expect(before.shopOrders.reduce((sum, { subtotalMinor }) => sum + subtotalMinor, 0)).toBe(before.totalMinor);
  await operator.ops.refund({
    ...{ tradeId, reason, key: 'refund-0002' },
    wish: { kind: 'rest', units: 'RESTOCK', shopOrderId: shopOrders[1] ?? '' },
  });
  await sendRefunds(deps.payments, { limit: 10 });
  await settled();
  const after = await operator.ops.order({ tradeId });
  expect(after.shopOrders.map(({ status }) => status)).toEqual(['CONFIRMED', 'REFUNDED', 'CONFIRMED']);
  expect(after).toMatchObject({
    status: 'PAID',
    afterSale: { refunds: [{ amountMinor: before.shopOrders[1]?.subtotalMinor }] },
  });
});

test('P29 – a later shop that has none left gives the earlier shops their units back, and no order is left', async () => {
  await shop.stock('K4', 5, 'S1');
  await shop.stock('K4', 5, 'S2');
  await shop.stock('K4', 1, 'S3');
  const lines = ['S1', 'S2', 'S3'].map((shopId) => ({ shopId, skuId: 'K4', quantity: 2 }));
  expect(await shop.order(lines)).toMatchObject({ code: 'SOLD_OUT', lines: [{ shopId: 'S3', left: 1 }] });
  const read = await shop.gate.read(['S1', 'S2', 'S3'].map((shopId) => ({ shopId, skuId: 'K4' })));
  expect(read).toMatchObject(Array(3).fill({ deducted: 0, holdCount: 0 }));
});

test('C25 – an operator cancels with a reason; viewers and strangers cannot, and every way gets the same answer', async () => {
  await shop.stock('K5', 5);
  const buyerId = mint<'BuyerId'>();
  const placed = await shop.order([{ skuId: 'K5', quantity: 2 }], { buyerId });
  if (placed.kind !== 'placed') throw new Error(placed.message);
  const { tradeId } = placed;
  for (const who of [as({}), as({ role: 'viewer' })])
    await expect(who.ops.cancelOrder({ tradeId, reason })).rejects.toThrow(/sign in|needs the role/);
  const operator = as({ role: 'operator' });
  await expect(operator.ops.cancelOrder({ tradeId, reason: ' ' })).rejects.toThrow('say why');
  expect(await operator.ops.cancelOrder({ tradeId, reason })).toEqual({ kind: 'closed' });
  await settled();
  expect(await gateOf('K5')).toMatchObject({ deducted: 0, holdCount: 0 });
  const sentence = (await operator.ops.order({ tradeId })).moves.cancel ?? 'no sentence';
  await expect(as({ buyerId }).order.cancel({ tradeId })).rejects.toThrow(sentence);
  const { rows } = await shop.pool.query('SELECT actor, action, reason FROM ops.audit_log WHERE target = $1', [
    tradeId,
  ]);
  expect(rows).toEqual([{ actor: 'otto@shop.example', action: 'order.cancel', reason }]);
});
