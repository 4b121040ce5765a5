/** Door of the ledger: record, confirm, release, expire, receive, restock. Every function works on a set, in the caller's transaction. */
export { type ConfirmOrder, type ConfirmResult, confirmTrades } from './confirm-trades.ts';
export { expireReservations, type UnrecordedLines } from './expire-reservations.ts';
export type { ConfirmOutcome } from './judge-confirm.ts';
export { type Receipt, type ReceiveOutcome, receiveStock } from './receive-stock.ts';
export {
  type ReserveOrder,
  type ReserveOutcome,
  recordReservations,
} from './record-reservations.ts';
export { type ReleaseOrder, releaseReservations } from './release-reservations.ts';
export { type Restock, restockUnits } from './restock-units.ts';
export { UnknownOrder } from './unknown-order.ts';
