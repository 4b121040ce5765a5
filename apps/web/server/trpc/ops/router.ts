import { router } from '../init.ts';
import { answerReturnProcedure } from './answer-return.ts';
import { applyImport } from './apply-import.ts';
import { askOrderAgain } from './ask-order-again.ts';
import { cancelOrderProcedure } from './cancel-order.ts';
import { checkReconcile } from './check-reconcile.ts';
import { closeIncident } from './close-incident.ts';
import { counters } from './counters.ts';
import { deadLetterGroups, deadLetters } from './dead-letters.ts';
import { discardImport } from './discard-import.ts';
import { explainFigureProcedure, figureRows } from './explain-figure.ts';
import { gate } from './gate.ts';
import { importStock } from './import-stock.ts';
import { incidents } from './incidents.ts';
import { jobs } from './jobs.ts';
import { order } from './order.ts';
import { outbox } from './outbox.ts';
import { overview } from './overview.ts';
import { parkedEvents, putBackParkedEvents } from './parked-events.ts';
import { rebuildGate } from './rebuild-gate.ts';
import { receive } from './receive.ts';
import { reconcileLog } from './reconcile-log.ts';
import { recount } from './recount.ts';
import { discardDeadLetter, editDeadLetter, redriveDeadLetter, redriveDeadLetters } from './redrive-letters.ts';
import { refund } from './refund.ts';
import { reservation } from './reservation.ts';
import { reservations } from './reservations.ts';
import { runReconcile } from './run-reconcile.ts';
import { ship } from './ship.ts';
import { signedIn } from './signed-in.ts';
import { stock } from './stock.ts';
import { stockChanges } from './stock-changes.ts';
import { stockImport } from './stock-import.ts';
import { stockImports } from './stock-imports.ts';
import { switchMode } from './switch-mode.ts';
import { undoImport } from './undo-import.ts';
import { writeOff } from './write-off.ts';

/** Each health figure is a call of its own, so that one that fails hides no other (C63). */
export const opsRouter = router({
  gate,
  rebuildGate,
  outbox,
  overview,
  jobs,
  counters,
  reservations,
  reservation,
  incidents,
  reconcileLog,
  checkReconcile,
  explainFigure: explainFigureProcedure,
  figureRows,
  closeIncident,
  runReconcile,
  switchMode,
  signedIn,
  stock,
  stockChanges,
  receive,
  writeOff,
  recount,
  importStock,
  stockImports,
  stockImport,
  applyImport,
  undoImport,
  discardImport,
  deadLetters,
  deadLetterGroups,
  redriveDeadLetter,
  redriveDeadLetters,
  editDeadLetter,
  discardDeadLetter,
  parkedEvents,
  putBackParkedEvents,
  askOrderAgain,
  order,
  cancelOrder: cancelOrderProcedure,
  refund,
  ship,
  answerReturn: answerReturnProcedure,
});
