/**
 * One job, run by a person: the same handler, limits and job_run row as a scheduled run, or (dry) only what it would do.
 * What the loops do is waited for: their jobs only wake them.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobDefinition, JobDeps, JobDetail } from './job.ts';
import { PREVIEWS } from './previews.ts';
import { createJobRunner } from './run-job.ts';

export interface HandReport {
  readonly job: string;
  readonly mode: 'run' | 'dry run';
  readonly scanned: number;
  readonly changed: number;
  readonly failed: number;
  readonly detail: JobDetail;
}

/** Jobs whose work a loop does, in whichever process holds its lease. */
export const LOOP_JOBS: ReadonlySet<string> = new Set(['outbox.publish', 'gate.effects', 'gate.watch']);
const LOOP_LIMIT_MS = 10_000;
const LOOK_MS = 50;

export function findJob(jobs: readonly JobDefinition[], id: string | undefined): JobDefinition {
  const job = jobs.find((one) => one.id === id);
  if (!job) throw new Error(`no job ${id ?? ''}; the jobs are:\n  ${jobs.map((one) => one.id).join('\n  ')}`);
  return job;
}

export async function previewJob(job: JobDefinition, deps: JobDeps): Promise<HandReport> {
  const preview = PREVIEWS[job.id];
  if (!preview) throw new Error(`${job.id} has no dry run`);
  return { job: job.id, mode: 'dry run', ...(await preview(deps)), failed: 0, detail: {} };
}

export async function runJob(job: JobDefinition, deps: JobDeps, worker: string): Promise<HandReport> {
  let detail: JobDetail = {};
  const run = async () => {
    detail = await job.run(deps);
    if (LOOP_JOBS.has(job.id)) detail = await untilDone(job.id, deps, numberOf(detail.scanned));
    return detail;
  };
  const at = job.schedule(deps.config);
  const timeLimitMs = Math.max(job.timeLimitMs, LOOP_LIMIT_MS + 5000);
  await createJobRunner(deps, worker).run({ id: job.id, at, timeLimitMs, run });
  const [scanned, changed, failed] = [detail.scanned, detail.changed, detail.failed].map(numberOf);
  return { job: job.id, mode: 'run', scanned: scanned ?? 0, changed: changed ?? 0, failed: failed ?? 0, detail };
}

async function untilDone(id: string, deps: JobDeps, scanned: number): Promise<JobDetail> {
  const deadline = performance.now() + LOOP_LIMIT_MS;
  let left = scanned;
  for (; performance.now() < deadline; await sleep(LOOK_MS)) {
    left = (await PREVIEWS[id]?.(deps))?.scanned ?? 0;
    if (left === 0) break;
  }
  return { scanned, changed: Math.max(0, scanned - left), failed: left };
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
