/**
 * The relay publishes the outbox (P32): claims pending events in id order, sends them, marks them with partition
 * and offset. A crash between any two steps only repeats messages, which consumers know by their event id.
 * Claiming the next batch and marking the last one run beside the one send in flight. The lease keeps relays from
 * doing the same work twice; it is not what keeps them right (P19).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdLease, inTransaction, type Log, type Metrics, type Pool, type Sql } from '../platform/index.ts';
import type { Producer } from '../stream/index.ts';
import { type ClaimedEvent, claimBatch } from './claim-batch.ts';
import { markSent, parkFrom, type SentEvent } from './mark-sent.ts';
import { publishBatch } from './publish-batch.ts';

export const RELAY_LEASE = 'outbox.relay';
/** A dead relay's successor starts this much later at the most. */
export const RELAY_LEASE_MS = 5000;

export interface RelayDeps {
  readonly pool: Pool;
  readonly producer: Producer;
  readonly log: Log;
  readonly metrics?: Metrics;
  /** Name of this process in the lease. */
  readonly holder: string;
  readonly batchSize: number;
  /** Told once for each event that cannot be sent, in the transaction that parks it. */
  readonly onParked?: (sql: Sql, event: ClaimedEvent, reason: string) => Promise<void>;
  /** Default RELAY_LEASE_MS. */
  readonly leaseMs?: number;
}

/** What one holder works with. A new one after every failure: what was claimed and not marked is claimed anew. */
export interface Tenure {
  claim: string;
  claimedAt: number;
  renewedAt: number;
}
export const newTenure = (): Tenure => ({ claim: randomUUID(), claimedAt: 0, renewedAt: 0 });

/**
 * Claims are this far apart while there is little to do: a claim, a send and a mark cost much the same for one
 * event as for a hundred.
 */
const CLAIM_EVERY_MS = 100;
const MUCH = 500;

/** Sends what is pending now. Returns how many events were sent; 0 while another relay holds the lease. */
export async function relayOnce(deps: RelayDeps): Promise<number> {
  return (await drainOutbox(deps, newTenure(), () => false)).sent;
}

/** Works until nothing is pending, the lease is lost, or `stopping`. After a throw the tenure is over. */
export async function drainOutbox(
  deps: RelayDeps,
  tenure: Tenure,
  stopping: () => boolean,
): Promise<{ sent: number; leaseHeld: boolean }> {
  const claimNext = (before: number) => settle(stopping() ? Promise.resolve([]) : claimInTime(deps, tenure, before));
  if (!(await holdRelayLease(deps, tenure))) return { sent: 0, leaseHeld: false };

  let total = 0;
  let marking: Promise<void> = Promise.resolve();
  let next = claimNext(0);
  try {
    for (;;) {
      const batch = unwrap(await next);
      if (batch.length === 0) return { sent: total, leaseHeld: true };
      if (!(await holdRelayLease(deps, tenure))) return { sent: total, leaseHeld: false };
      next = claimNext(batch.length);
      const { sent, unsendable, failure } = await publishBatch(deps.producer, batch);
      await marking;
      total += sent.length;
      marking = recordOutcome(deps, tenure.claim, sent, unsendable);
      // Awaited in the next round or below; a rejection in between must not count as unhandled.
      marking.catch(() => undefined);
      if (failure !== undefined) throw failure;
      if (unsendable.length > 0) {
        // The batch claimed meanwhile may hold later events of a key that was only now parked: claim it anew.
        await Promise.all([marking, next]);
        tenure.claim = randomUUID();
        next = claimNext(batch.length);
      }
    }
  } finally {
    await next;
    await marking;
  }
}

/** Asks the database only when a third of the lease has passed. */
async function holdRelayLease({ pool, holder, leaseMs = RELAY_LEASE_MS }: RelayDeps, tenure: Tenure): Promise<boolean> {
  const now = Date.now();
  if (now - tenure.renewedAt < leaseMs / 3) return true;
  const held = await holdLease(pool, RELAY_LEASE, holder, leaseMs);
  tenure.renewedAt = held ? now : 0;
  return held;
}

async function claimInTime({ pool, batchSize }: RelayDeps, tenure: Tenure, before: number): Promise<ClaimedEvent[]> {
  const rest = tenure.claimedAt + CLAIM_EVERY_MS - Date.now();
  if (rest > 0 && before < MUCH) await sleep(rest);
  tenure.claimedAt = Date.now();
  return claimBatch(pool, tenure.claim, batchSize);
}

async function recordOutcome(
  deps: RelayDeps,
  claim: string,
  sent: readonly SentEvent[],
  unsendable: readonly { event: ClaimedEvent; reason: string }[],
): Promise<void> {
  deps.metrics?.relaySent.inc(sent.length);
  const marked = await markSent(deps.pool, claim, sent);
  if (marked < sent.length)
    deps.log.warn({ sent: sent.length, marked }, 'another relay took events over; they are sent twice and count once');
  for (const { event, reason } of unsendable) {
    const parked = await inTransaction(deps.pool, async (tx) => {
      const count = await parkFrom(tx, claim, event, reason);
      if (count > 0 && !event.behindParked) await deps.onParked?.(tx, event, reason);
      return count;
    });
    if (parked === 0 || event.behindParked) continue;
    deps.log.error(
      { eventId: event.eventId, type: event.type, key: event.key, reason, parked },
      'event cannot be sent; it and the later ones of its key are parked',
    );
  }
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

/** Keeps a failure until it is looked at, so that work started ahead is never an unhandled rejection. */
function settle<T>(work: Promise<T>): Promise<Settled<T>> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

function unwrap<T>(settled: Settled<T>): T {
  if ('error' in settled) throw settled.error;
  return settled.value;
}
