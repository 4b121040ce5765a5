/** What buyers do until they pay: order, ask again, cancel, extend. */
import { mint } from '../../../domain/index.ts';
import { cancelOrder, extendPayment, type PlaceOrderCommand, placeOrder } from '../../../order/index.ts';
import { TEST_PRICE_MINOR } from '../../put-on-sale.ts';
import type { Command } from '../command.ts';
import { freeMember, type History, type Ordered, perform } from '../history.ts';
import { part, pick, type Tape } from '../tape.ts';

export const BUYERS: readonly Command[] = [
  { name: 'place', weight: 22, run: (history, tape) => ask(history, tape, newOrder(history, tape)) },
  {
    name: 'place-again',
    weight: 5,
    run: async (history, tape) => {
      const order = pick(history.orders, tape.how);
      if (order) await ask(history, tape, order);
    },
  },
  {
    name: 'place-other-body',
    weight: 1,
    run: async (history, tape) => {
      const order = pick(history.orders, tape.how);
      if (!order) return;
      const lines = order.command.lines.map((line) => ({ ...line, quantity: line.quantity + 1 }));
      await ask(history, tape, { command: { ...order.command, lines } });
    },
  },
  { name: 'cancel', weight: 4, run: cancel },
  { name: 'operator-cancel', weight: 2, run: operatorCancel },
  { name: 'extend', weight: 2, run: extend },
];

function newOrder(history: History, { how, who }: Tape): Ordered {
  const { skus, buyers, coupon } = history.world;
  const first = pick(skus, how);
  const second = part(how, 2, 3) === 2 ? skus.find((sku) => sku !== first) : undefined;
  const command: PlaceOrderCommand = {
    key: mint<'key'>(),
    buyerId: buyers[part(who, 1, buyers.length)] ?? '',
    traceId: 'history',
    ...(coupon && part(how, 3, 3) === 2 && { coupon: 'FEW' }),
    lines: [first, second].flatMap((sku) =>
      sku
        ? [
            {
              shopId: sku.shopId,
              skuId: sku.skuId,
              quantity: 1 + (part(how, 1, 5) === 4 ? 1 : 0),
              unitPriceMinor: TEST_PRICE_MINOR,
            },
          ]
        : [],
    ),
  };
  const order: Ordered = { command };
  history.orders.push(order);
  return order;
}

async function ask(history: History, tape: Tape, order: Ordered): Promise<void> {
  const member = freeMember(history, tape.who);
  const { lines, buyerId } = order.command;
  const label = `place ${lines.map((line) => `${line.skuId} x${line.quantity}`).join(' + ')} by ${buyerId.slice(-4)}`;
  await perform(history, { label, member, work: () => placeAndRemember(history, order, member.desk) }, tape);
}

async function placeAndRemember(history: History, order: Ordered, desk: Parameters<typeof placeOrder>[0]) {
  const result = await placeOrder(desk, order.command);
  if (result.kind !== 'placed') {
    history.count(`refused ${result.code}`);
    // Who has an order hears of it for ever, whatever the shop's state (C13).
    if (order.answer && !['BUSY', 'GATE_CLOSED', 'OUTCOME_UNKNOWN'].includes(result.code))
      history.broken.push(`key ${order.command.key} was placed and is now refused as ${result.code}`);
    return result.code;
  }
  history.count(result.repeated ? 'placed again' : 'placed');
  if (order.answer && order.answer.tradeId !== result.tradeId)
    history.broken.push(`key ${order.command.key} made two orders: ${order.answer.tradeId} and ${result.tradeId}`);
  order.answer = result;
  order.tradeId = result.tradeId;
  return { placed: result.tradeId.slice(-6), repeated: result.repeated };
}

/** An order that its buyer knows of. */
export function placedOrder(history: History, choice: number): (Ordered & { readonly tradeId: string }) | undefined {
  const placed = history.orders.flatMap((order) => (order.tradeId ? [{ ...order, tradeId: order.tradeId }] : []));
  return pick(placed, choice);
}

async function cancel(history: History, tape: Tape): Promise<void> {
  const order = placedOrder(history, tape.how);
  if (!order) return;
  const { desk, ...member } = freeMember(history, tape.who);
  const by = { kind: 'buyer', buyerId: order.command.buyerId } as const;
  const work = () => cancelOrder(desk, { tradeId: order.tradeId, by });
  await perform(history, { label: `cancel ${order.tradeId.slice(-6)}`, member: { desk, ...member }, work }, tape);
}

async function operatorCancel(history: History, tape: Tape): Promise<void> {
  const order = placedOrder(history, tape.how);
  if (!order) return;
  const member = freeMember(history, tape.who);
  const by = {
    kind: 'operator',
    name: 'ada',
    reason: 'history',
    ifPaid: part(tape.how, 3, 2) ? 'close-and-refund' : 'refuse',
  } as const;
  const work = () => cancelOrder(member.desk, { tradeId: order.tradeId, by });
  await perform(history, { label: `operator-cancel ${order.tradeId.slice(-6)} ${by.ifPaid}`, member, work }, tape);
}

async function extend(history: History, tape: Tape): Promise<void> {
  const order = placedOrder(history, tape.how);
  if (!order) return;
  const member = freeMember(history, tape.who);
  const deps = { ...member.desk, provider: member.provider, extensionSeconds: 300 };
  const work = () => extendPayment(deps, { tradeId: order.tradeId, buyerId: order.command.buyerId });
  await perform(history, { label: `extend ${order.tradeId.slice(-6)}`, member, work }, tape);
}
