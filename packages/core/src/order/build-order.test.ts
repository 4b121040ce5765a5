import { expect, test } from 'vitest';
import { z } from 'zod';
import { EVENT_SCHEMAS, isEventType, minorUnits, mint, topicOf } from '../domain/index.ts';
import { buildAttempt, type PreparedOrder } from './build-order.ts';
import { commitArguments } from './commit-arguments.ts';

const line = (shopId: string, skuId: string, quantity: number) => ({
  shopId,
  skuId,
  quantity,
  name: skuId,
  unitPriceMinor: 1999,
  lineMinor: minorUnits(1999 * quantity),
  gateMode: 'REDIS' as const,
  buyerLimited: false,
});

const rows = z.array(
  z.object({ ord: z.number(), type: z.string(), topic: z.string(), key: z.string(), payload: z.looseObject({}) }),
);

test('Every event of a new order can be read by the consumers of its type', () => {
  const order: PreparedOrder = {
    buyerId: mint<'BuyerId'>(),
    input: { key: mint<'key'>(), lines: [] },
    fingerprint: 'f',
    traceId: 'trace',
    lines: [line('S2', 'K1', 2), line('S1', 'K1', 1), line('S1', 'K2', 3)],
    currency: 'EUR',
    deadline: Number.POSITIVE_INFINITY,
  };
  const attempt = buildAttempt(order);
  const [, , , events] = commitArguments([{ order, attempt, epoch: 1, generations: new Map() }]);
  const found = rows.parse(JSON.parse(events));
  // The commit function adds the deadline to each of them.
  const payUntil = new Date().toISOString();
  for (const { type, topic, payload } of found) {
    if (!isEventType(type)) throw new Error(`unknown type ${type}`);
    expect(EVENT_SCHEMAS[type].parse({ ...payload, payUntil })).toEqual({ ...payload, payUntil });
    expect(topic).toBe(topicOf(type));
  }
  expect(found.map((event) => event.type).sort()).toEqual([
    'INVENTORY_RESERVE_DB',
    'INVENTORY_RESERVE_DB',
    'ORDER_CREATED',
    'PAYMENT_INTENT_CREATED',
    'TRADE_CREATED',
  ]);
});
