/** Door of the order stage. */
export type { Placed } from './attempt-memory.ts';
export { createPlaceOrderDeps, type OrderDeskParts, type PlaceOrderDeps, type StopPoint } from './order-desk.ts';
export { type PlaceOrderInput, parsePlaceOrder, placeOrderInput, shipToInput } from './order-input.ts';
export { type PlaceOrderCommand, type PlaceOrderResult, placeOrder } from './place-order.ts';
