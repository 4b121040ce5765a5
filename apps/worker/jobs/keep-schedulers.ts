/**
 * Keeps one BullMQ scheduler per job (P35). Schedulers live in Redis and may vanish with it, so every worker looks
 * again on each reconnect and every 3 s. Only what is missing, changed or stuck is written: writing a scheduler
 * starts its interval anew, and workers that restart often would never let a slow one come due (C54).
 */
import type { JobSchedulerJson, Queue } from 'bullmq';
import type { Schedule, ScheduledJob } from './job.ts';

const MAX_SCHEDULERS = 1000;
/** A scheduler whose next run is overdue by this much has lost its job. */
const STUCK_MS = 5000;
export const KEEP_FINISHED = { removeOnComplete: { count: 100 }, removeOnFail: { count: 200 } } as const;

export interface KeptSchedulers {
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** @param all write every scheduler, as the watchdog does when jobs do not come */
export async function keepSchedulers(
  queue: Queue,
  jobs: readonly ScheduledJob[],
  all = false,
): Promise<KeptSchedulers> {
  const present = new Map((await queue.getJobSchedulers(0, MAX_SCHEDULERS)).map((found) => [found.key, found]));
  const written: string[] = [];
  for (const { id, at } of jobs) {
    const found = present.get(id);
    if (!all && found && fits(found, at) && !isStuck(found)) continue;
    await queue.upsertJobScheduler(id, 'pattern' in at ? { pattern: at.pattern } : { every: at.everyMs }, {
      name: id,
      opts: KEEP_FINISHED,
    });
    written.push(id);
  }
  const removed = [...present.keys()].filter((id) => !jobs.some((job) => job.id === id));
  for (const id of removed) await queue.removeJobScheduler(id);
  return { written, removed };
}

function fits(found: JobSchedulerJson, at: Schedule): boolean {
  return 'pattern' in at ? found.pattern === at.pattern : Number(found.every) === at.everyMs && !found.pattern;
}

function isStuck(found: JobSchedulerJson): boolean {
  return found.next === undefined || found.next < Date.now() - STUCK_MS;
}
