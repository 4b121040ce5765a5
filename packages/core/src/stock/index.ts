/** Door of stock changes by people: write-off, recount. Receiving is the ledger's own (`@holdfast/core/ledger`). */
export { type Recount, recountStock } from './recount.ts';
export type { StockChanged, StockDeps, StockStopPoint } from './stock-desk.ts';
export { type WriteOff, writeOff } from './write-off.ts';
