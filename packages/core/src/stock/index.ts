/** Door of stock changes by people: write-off, recount, imports. Receiving is the ledger's own (`@holdfast/core/ledger`). */
export { applyImport, type ImportProgress } from './imports/apply-import.ts';
export { discardImport } from './imports/discard-import.ts';
export type { ImportAction, ImportRowStatus, ImportStatus } from './imports/import-state.ts';
export type { RowVerdict } from './imports/judge-rows.ts';
export { MAX_IMPORT_ROWS } from './imports/parse-import.ts';
export {
  type ImportHead,
  type ImportReview,
  listImports,
  type ReviewedRow,
  reviewImport,
} from './imports/review-import.ts';
export { undoImport } from './imports/undo-import.ts';
export { type ImportFile, type Uploaded, uploadImport } from './imports/upload-import.ts';
export { listStockChanges, readStock, type StockChangeView, type StockView } from './list-changes.ts';
export { type Recount, recountStock } from './recount.ts';
export type { StockChanged, StockDeps } from './stock-desk.ts';
export { type WriteOff, writeOff } from './write-off.ts';
