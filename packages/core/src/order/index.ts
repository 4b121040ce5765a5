/** Door of the order stage. */
export type { Placed } from './attempt-memory.ts';
export { createPlaceOrderDeps, type OrderDeskParts, type PlaceOrderDeps, type StopPoint } from './order-desk.ts';
export { parsePlaceOrder, type PlaceOrderInput, placeOrderInput, shipToInput } from './order-input.ts';
export { placeOrder, type PlaceOrderCommand, type PlaceOrderResult } from './place-order.ts';
