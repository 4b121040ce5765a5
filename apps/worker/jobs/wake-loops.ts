/**
 * outbox.publish, gate.effects and gate.watch: the loops run on timers of their own, so that they need neither Redis
 * nor the queue (P35); the jobs wake them once more.
 */
import type { JobDeps, JobDetail } from './job.ts';

export async function publishOutbox({ wakeRelay }: JobDeps): Promise<JobDetail> {
  wakeRelay();
  return {};
}

export async function tendGate({ wakeGatekeeper }: JobDeps): Promise<JobDetail> {
  wakeGatekeeper();
  return {};
}
