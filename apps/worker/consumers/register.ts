/** Every consumer of the worker, as data. A name is also the Kafka group: renaming one reads its topic from the start. */
import { INVENTORY_TOPIC, ORDER_TOPIC } from '@holdfast/core/domain';
import type { ConsumerDefinition } from '@holdfast/core/stream';
import { handleLedgerEvents } from './handle-ledger-events.ts';
import { handleInventoryEvents, handleTradeEvents } from './handle-order-events.ts';
import { handlePromotionAnswers, handlePromotionRequests } from './handle-promotion-events.ts';
import { planLedger } from './plan-ledger.ts';
import { releaseMakesVoid } from './release-makes-void.ts';

export const CONSUMERS: readonly ConsumerDefinition[] = [
  {
    name: 'ledger',
    topic: ORDER_TOPIC,
    types: ['INVENTORY_RESERVE_DB', 'INVENTORY_CONFIRM', 'INVENTORY_RELEASE'],
    answersForUnknown: true,
    plan: planLedger,
    handle: handleLedgerEvents,
    passes: { types: ['INVENTORY_RELEASE'], makesVoid: releaseMakesVoid },
    wakes: ['outbox', 'effects'],
  },
  {
    name: 'order',
    topic: INVENTORY_TOPIC,
    types: [
      'INVENTORY_RESERVED',
      'INVENTORY_RESERVE_REJECTED',
      'INVENTORY_CONFIRMED',
      'INVENTORY_CONFIRM_CONFLICT',
      'INVENTORY_RELEASED',
    ],
    answersForUnknown: true,
    handle: handleInventoryEvents,
    wakes: ['outbox', 'effects'],
  },
  {
    name: 'order.limits',
    topic: ORDER_TOPIC,
    unhurried: true,
    types: ['TRADE_PAID', 'TRADE_CLOSED', 'REFUND_SUCCEEDED'],
    answersForUnknown: false,
    handle: handleTradeEvents,
    wakes: [],
  },
  {
    name: 'promotion',
    topic: ORDER_TOPIC,
    unhurried: true,
    types: ['PROMOTION_LOCK', 'PROMOTION_COMMIT', 'PROMOTION_RELEASE'],
    answersForUnknown: false,
    handle: handlePromotionRequests,
    wakes: ['outbox'],
  },
  {
    name: 'order.promotion',
    topic: ORDER_TOPIC,
    unhurried: true,
    types: ['TRADE_PAID', 'TRADE_CLOSED', 'PROMOTION_LOCKED', 'PROMOTION_REJECTED'],
    answersForUnknown: false,
    handle: handlePromotionAnswers,
    wakes: ['outbox', 'effects'],
  },
];
