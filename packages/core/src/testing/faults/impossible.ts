/** Cells that cannot happen, with the reason in words. */
import type { Fault } from './faults.ts';
import type { Step } from './steps.ts';

export const REASONS = {
  a: 'what stands here has been delivered already: the reset after delivery is this step',
  b: 'an order is one request; there is no newer one of its own that it could come after',
  c: 'a request of a buyer or of the provider, not a job',
  d: 'no server takes part: the answer goes from the web process to the buyer',
  e: 'one call in the database, no message; that it is made twice is the column of two copies',
} as const;
export type Reason = keyof typeof REASONS;

export function whyImpossible(step: Step, fault: Fault): Reason | undefined {
  const delivered = step.place.at === 'answer-to' || step.place.at === 'working';
  switch (fault.id) {
    case 'reset before delivery':
      return delivered ? 'a' : undefined;
    case 'delayed past a newer one':
      return step.carries === 'order' ? 'b' : step.carries === 'call' ? 'e' : undefined;
    case 'doubled':
      return step.carries === 'call' ? 'e' : undefined;
    case 'two copies of a job':
      return step.process === 'web' ? 'c' : undefined;
    case 'SIGSTOP 5 s, server':
      return step.server ? undefined : 'd';
    default:
      return undefined;
  }
}
