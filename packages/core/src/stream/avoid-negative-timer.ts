/**
 * kafkajs 2.2.4 arms a timer after every response: `setTimeout(check, throttledUntil - now)`, where
 * `throttledUntil` is -1 unless the broker throttles. Node answers a negative wait with a warning, and the timer
 * fires for nothing. With no request pending there is nothing to check, so the timer is not armed at all; with
 * one pending kafkajs computes a positive wait by itself. Applied once, before the first client is made.
 */
import { createRequire } from 'node:module';

interface RequestQueue {
  pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}
type RequestQueueClass = { prototype: RequestQueue };

const load = createRequire(import.meta.url);
const done = new WeakSet<object>();

export function avoidNegativeTimer(): void {
  const { prototype } = load('kafkajs/src/network/requestQueue/index.js') as RequestQueueClass;
  if (done.has(prototype)) return;
  done.add(prototype);
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function scheduleWhenPending(this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
