/** A job as data. A job is only a trigger: doubled, stalled, lost or overlapping runs change nothing (design section 10). */
import type { Gate } from '@holdfast/core/gate';
import type { ConfiguredProvider } from '@holdfast/core/order';
import type { Config, Log, Metrics, Pool, Waker } from '@holdfast/core/platform';
import type { LetterDeps, Stream } from '@holdfast/core/stream';

export interface JobDeps extends ConfiguredProvider {
  readonly config: Config;
  readonly pool: Pool;
  /** For deletes that read whole tables: longer limits, and never the gate lock. */
  readonly cleanUpPool: Pool;
  readonly gate: Gate;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly waker: Waker;
  /** For trying failing messages again. */
  readonly letters: LetterDeps;
  readonly stream: Stream;
  /** The local loops; whoever holds their lease works. */
  readonly wakeRelay: () => void;
  readonly wakeGatekeeper: () => void;
}

/** What a run found; stands in job_run and on the console. */
export type JobDetail = Record<string, unknown>;

export type Schedule = { readonly everyMs: number } | { readonly pattern: string };

export interface JobDefinition {
  readonly id: string;
  readonly schedule: (config: Config) => Schedule;
  readonly enabled?: (config: Config) => boolean;
  /** A run that takes longer counts as failed; its database statements have limits of their own. */
  readonly timeLimitMs: number;
  readonly run: (deps: JobDeps) => Promise<JobDetail>;
}

/** A job of this process: its schedule worked out, its handler bound to what it needs. */
export interface ScheduledJob {
  readonly id: string;
  readonly at: Schedule;
  readonly timeLimitMs: number;
  readonly run: () => Promise<JobDetail>;
}

export function schedule(jobs: readonly JobDefinition[], deps: JobDeps): ScheduledJob[] {
  return jobs
    .filter((job) => job.enabled?.(deps.config) ?? true)
    .map(({ id, timeLimitMs, ...job }) => ({
      id,
      timeLimitMs,
      at: job.schedule(deps.config),
      run: () => job.run(deps),
    }));
}
