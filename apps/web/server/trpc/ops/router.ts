import { router } from '../init.ts';
import { counters } from './counters.ts';
import { gate } from './gate.ts';
import { incidents } from './incidents.ts';
import { jobs } from './jobs.ts';
import { outbox } from './outbox.ts';
import { overview } from './overview.ts';
import { reconcileRuns } from './reconcile-runs.ts';
import { reservation } from './reservation.ts';
import { reservations } from './reservations.ts';
import { runReconcile } from './run-reconcile.ts';
import { signedIn } from './signed-in.ts';

/** Each health figure is a call of its own, so that one that fails hides no other (C63). */
export const opsRouter = router({
  gate,
  outbox,
  overview,
  jobs,
  counters,
  reservations,
  reservation,
  incidents,
  reconcileRuns,
  runReconcile,
  signedIn,
});
