/** Every handler that the crash sweep knows; the main ones are swept at every change. */
import { AFTER_SALE_HANDLERS } from './after-sale-handlers.testing.ts';
import { EVENT_HANDLERS } from './event-handlers.testing.ts';
import { GATE_HANDLERS } from './gate-handlers.testing.ts';
import { ORDER_HANDLERS } from './order-handlers.testing.ts';
import { PAYMENT_HANDLERS } from './payment-handlers.testing.ts';
import { STOCK_HANDLERS } from './stock-handlers.testing.ts';

export const HANDLERS = [
  ...ORDER_HANDLERS,
  ...PAYMENT_HANDLERS,
  ...AFTER_SALE_HANDLERS,
  ...STOCK_HANDLERS,
  ...GATE_HANDLERS,
  ...EVENT_HANDLERS,
];

const MAIN = new Set([
  'place an order',
  'cancel an order that is not recorded yet',
  'receive a notice',
  'late money that revives its order',
  'write off',
  'rebuild the gate',
  'sweep ghosts',
  'relay',
  'consume as ledger',
]);
export const MAIN_HANDLERS = HANDLERS.filter(({ name }) => MAIN.has(name));
