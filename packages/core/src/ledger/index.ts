/** Door of the ledger: record, confirm, release, expire, receive, restock, writeOff. Nearly every function works on a set, in the caller's transaction. */
export { type ConfirmOrder, type ConfirmResult, confirmTrades } from './confirm-trades.ts';
export { expireReservations, type UnrecordedLines } from './expire-reservations.ts';
export { findShort } from './find-short.ts';
export { type FinishedSwitches, finishSwitches } from './finish-switches.ts';
export type { ConfirmOutcome } from './judge-confirm.ts';
export { type Receipt, type ReceiveOutcome, receiveStock } from './receive-stock.ts';
export {
  type ReserveOrder,
  type ReserveOutcome,
  recordReservations,
} from './record-reservations.ts';
export { type ReleaseOrder, releaseReservations } from './release-reservations.ts';
export { type Restock, restockUnits } from './restock-units.ts';
export {
  type BookedOperation,
  findOperation,
  isSameOperation,
  type OperationKind,
  otherOperation,
  type StockOperation,
} from './stock-operation.ts';
export {
  type SwitchDeps,
  type SwitchMode,
  type SwitchOutcome,
  type SwitchStopPoint,
  switchGateMode,
} from './switch-gate-mode.ts';
export { tombstoneIntended } from './tombstone-intended.ts';
export { UnknownOrder } from './unknown-order.ts';
export {
  commitWriteOff,
  findOrAbandonWriteOff,
  type TakenUnits,
  type WriteOffAnswer,
  type WriteOffVerdict,
} from './write-off.ts';
