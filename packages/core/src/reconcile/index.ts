/** Door of reconcile: compare and explain, the run, the re-install of one SKU, the ghost sweep. */
export { type AuditDeps, type AuditMark, type AuditSummary, auditOrders } from './audit-orders/audit-orders.ts';
export { previewAudit } from './audit-orders/preview-audit.ts';
export { DRIFT_CAUSES, type DriftCause } from './causes.ts';
export { type CompareDeps, type Comparison, compareSkus } from './compare.ts';
export { type DriftRisk, type DriftRow, type Explanation, explain } from './explain.ts';
export type { FigureRow } from './explain-figure/add-up.ts';
export { explainFigure, type FigureAnswer, type Question } from './explain-figure/explain-figure.ts';
export { FIGURE_NAMES, FIGURES, type Figure } from './explain-figure/figures.ts';
export {
  type BookRow,
  type BookRowPage,
  type ListQuestion,
  listFigureRows,
  ROW_LISTS,
  type RowList,
} from './explain-figure/list-rows.ts';
export type { GateFacts, GateHold, HoldFacts, LedgerFacts, SkuFacts } from './facts.ts';
export type { Remedy } from './plan-repair.ts';
export { type Preview, type PreviewedSku, previewReconcile, previewSweep, type ReconcilePreview } from './preview.ts';
export { type ReconcileDeps, type ReconcileScope, reconcile } from './reconcile.ts';
export type { RunSummary } from './reconcile-log.ts';
export { type Reinstall, type ReinstallOutcome, reinstallSku } from './reinstall.ts';
export type { SkuScope } from './scope.ts';
export { type SweepDeps, type SweepSummary, sweepGhostHolds } from './sweep-ghost-holds.ts';
