/** The jobs of the register, and the gatekeeper's pass: each may run at any time, twice, and beside another. */

import type { JobDefinition, JobDetail } from '../../../../../../apps/worker/jobs/job.ts';
import { JOBS } from '../../../../../../apps/worker/jobs/register.ts';
import type { Command } from '../command.ts';
import { freeMember, type History, perform } from '../history.ts';
import type { Member } from '../members.ts';
import type { Tape } from '../tape.ts';

/** Relay and gatekeeper are commands of their own; these need the broker's or the provider's own server. */
const ELSEWHERE = [
  'outbox.publish',
  'gate.effects',
  'gate.watch',
  'demo-provider.deliver',
  'order.audit',
  'outbox.clean-up',
];
export const RUNNABLE: readonly JobDefinition[] = JOBS.filter(({ id }) => !ELSEWHERE.includes(id));

const WEIGHTS: Record<string, number> = {
  'reservation.expire': 4,
  'gate.sweep-ghost-holds': 4,
  'payment.late-money': 4,
  'inventory.reconcile': 4,
};

export const JOB_COMMANDS: readonly Command[] = [
  { name: 'gatekeeper', weight: 14, run: (history, tape) => passGatekeeper(history, tape, 'pass') },
  { name: 'rebuild', weight: 2, run: (history, tape) => passGatekeeper(history, tape, 'rebuild') },
  ...RUNNABLE.map(
    (job): Command => ({
      name: job.id,
      weight: WEIGHTS[job.id] ?? 2,
      run: async (history, tape) => {
        const member = freeMember(history, tape.who);
        await perform(history, { label: job.id, member, work: () => runJob(history, member, job) }, tape);
      },
    }),
  ),
];

/** Counted when it changed something. */
export async function runJob(history: History, member: Member, job: JobDefinition): Promise<JobDetail> {
  const detail = await job.run(member.jobs);
  if (Number(detail.changed ?? 0) > 0) history.count(`${job.id} changed`);
  return detail;
}

async function passGatekeeper(history: History, tape: Tape, how: 'pass' | 'rebuild'): Promise<void> {
  const member = freeMember(history, tape.who);
  const work = () => (how === 'pass' ? member.gatekeeper.runOnce() : member.gatekeeper.rebuild());
  await perform(history, { label: how === 'pass' ? 'gatekeeper' : 'rebuild', member, work }, tape);
}
