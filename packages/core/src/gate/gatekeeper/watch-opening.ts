/**
 * A gate that stays closed is an incident (GATE_CLOSED): it opens when the gatekeeper, holding its lease, has not seen an
 * open gate for a minute, and closes by itself with the next look that finds one. It asks no job queue: those stand still
 * with the same Redis.
 */
import { closeIncident, openIncident } from '../../ops/index.ts';
import type { Log, Pool } from '../../platform/index.ts';

const CLOSED_TOO_LONG_MS = 60_000;
const INCIDENT = { kind: 'GATE_CLOSED', subject: 'gate' } as const;

/** Runs one look, whose result is undefined when another process holds the lease; passes on what it throws. */
export type OpeningWatch = <T>(look: () => Promise<T | undefined>) => Promise<T | undefined>;

export function createOpeningWatch(
  { pool, log }: { readonly pool: Pool; readonly log: Log },
  limitMs = CLOSED_TOO_LONG_MS,
): OpeningWatch {
  let seenOpen = performance.now();
  /** Whether an incident may be open; another process may have opened one before it lost the lease. */
  let mayStand = true;

  const onClosed = async (error: unknown) => {
    const closedMs = performance.now() - seenOpen;
    if (closedMs < limitMs) return;
    mayStand = true;
    const detail = { seconds: Math.round(closedMs / 1000), why: String(error) };
    await openIncident(pool, { ...INCIDENT, detail }).catch((failure: unknown) =>
      log.warn({ error: String(failure) }, 'the incident of the closed gate could not be written'),
    );
  };
  return async (look) => {
    try {
      const open = await look();
      seenOpen = performance.now();
      if (open === undefined) mayStand = true;
      else if (mayStand) {
        await closeIncident(pool, { ...INCIDENT, by: 'gatekeeper' });
        mayStand = false;
      }
      return open;
    } catch (error) {
      await onClosed(error);
      throw error;
    }
  };
}
