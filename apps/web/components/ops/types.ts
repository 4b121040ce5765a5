/** Shapes of the console's answers. */
import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../server/trpc/router.ts';

type Ops = inferRouterOutputs<AppRouter>['ops'];
export type Counter = Ops['counters']['counters'][number];
export type Reservation = Ops['reservations']['reservations'][number];
export type ReservationDetail = Ops['reservation'];
export type GateHealth = Ops['gate'];
export type OutboxHealth = Ops['outbox'];
export type Overview = Ops['overview'];
export type JobRun = Ops['jobs'][number];
export type Incident = Ops['incidents']['incidents'][number];
export type DeadLetter = Ops['deadLetters']['letters'][number];
export type DeadLetterGroup = Ops['deadLetterGroups'][number];
export type ParkedKey = Ops['parkedEvents'][number];
export type LogEntry = Ops['reconcileLog']['entries'][number];
export type ReconcilePreview = Ops['checkReconcile'];
export type ReconcileRun = Ops['runReconcile'];
export type FigureAnswer = Ops['explainFigure'];
export type FigureRow = Extract<FigureAnswer, { kind: 'explained' }>['rows'][number];
export type BookRow = Ops['figureRows']['rows'][number];
export type StockChange = Ops['stockChanges'][number];
export type StockImport = Ops['stockImports'][number];
export type ImportReview = Ops['stockImport'];
export type ConsoleOrder = Ops['order'];
export type ConsoleShopOrder = ConsoleOrder['shopOrders'][number];
export type ConsoleReturn = ConsoleOrder['afterSale']['returns'][number];
