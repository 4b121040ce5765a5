import { router } from '../init.ts';
import { counters } from './counters.ts';
import { gate, outbox, overview } from './health.ts';
import { incidents } from './incidents.ts';
import { jobs } from './jobs.ts';
import { reconcileRuns } from './reconcile-runs.ts';
import { reservation } from './reservation.ts';
import { reservations } from './reservations.ts';
import { runReconcile } from './run-reconcile.ts';
import { signedIn } from './signed-in.ts';

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
