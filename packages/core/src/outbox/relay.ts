/**
 * The relay publishes the outbox (P32): claims pending events in id order, sends them, marks them with partition
 * and offset. A crash between any two steps only repeats messages, which consumers know by their event id.
 * Claiming the next batch and marking the last one run beside the one send in flight. The lease keeps relays from
 * doing the same work twice; it is not what keeps them right (P19).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { dropLease, holdLease, inTransaction, type Log, type Metrics, type Pool, type Sql } from '../platform/index.ts';
import type { Producer } from '../stream/index.ts';
import { type ClaimedEvent, claimBatch, RELAY_LEASE } from './claim-batch.ts';
import { markSent, parkFrom, type SentEvent } from './mark-sent.ts';
import { publishBatch } from './publish-batch.ts';

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

/**
 * What one holder of the lease works with. A new one after every failure: it starts with all unsent events, those the
 * tenure before it had claimed included.
 */
export interface Tenure {
  /** Name in the lease, no other tenure's. */
  readonly holder: string;
  /** The tenure of this relay before, whose lease may still be running. */
  readonly replaces: string | null;
  /** Claimed and neither marked nor given up yet. */
  readonly claimed: Set<number>;
  claimedAt: number;
  /** Events claimed a millisecond, over about `RATE_OVER_MS`: a burst of a few orders is not a busy shop. */
  eventsAMs: number;
  renewedAt: number;
}
export const newTenure = ({ holder }: RelayDeps, before?: Tenure): Tenure => ({
  holder: `${holder} ${randomUUID()}`,
  replaces: before?.holder ?? null,
  claimed: new Set(),
  claimedAt: 0,
  eventsAMs: 0,
  renewedAt: 0,
});

/**
 * Claims are this far apart: a claim, a send and a mark cost much the same for one event as for a hundred, and so do
 * the consumers' transactions for what arrives together. Seldom when much comes in, soon when little does, at once
 * when a claim left something behind.
 */
const CLAIM_SOON_MS = 10;
const CLAIM_SELDOM_MS = 80;
const MANY_EVENTS_A_MS = 2;
const RATE_OVER_MS = 200;

/** Sends what is pending now. Returns how many events were sent; 0 while another relay holds the lease. */
export async function relayOnce(deps: RelayDeps): Promise<number> {
  const tenure = newTenure(deps);
  try {
    return (await drainOutbox(deps, tenure, () => false)).sent;
  } finally {
    await dropLease(deps.pool, RELAY_LEASE, tenure.holder);
  }
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
      marking = recordOutcome(deps, tenure, sent, unsendable).then(() => giveUp(tenure, batch));
      // Awaited in the next round or below; a rejection in between must not count as unhandled.
      marking.catch(() => undefined);
      if (failure !== undefined) throw failure;
      if (unsendable.length > 0) {
        // The batch claimed meanwhile may hold later events of a key that was only now parked: claim it anew.
        await marking;
        giveUp(tenure, unwrap(await next));
        next = claimNext(batch.length);
      }
    }
  } finally {
    await next;
    await marking;
  }
}

/** Asks the database only when a third of the lease has passed. */
async function holdRelayLease({ pool, leaseMs = RELAY_LEASE_MS }: RelayDeps, tenure: Tenure): Promise<boolean> {
  const now = Date.now();
  if (now - tenure.renewedAt < leaseMs / 3) return true;
  const held = await holdLease(pool, RELAY_LEASE, tenure.holder, leaseMs, tenure.replaces);
  tenure.renewedAt = held ? now : 0;
  return held;
}

/** `before` is the size of the claim before this one. */
async function claimInTime({ pool, batchSize }: RelayDeps, tenure: Tenure, before: number): Promise<ClaimedEvent[]> {
  const waitMs = tenure.eventsAMs > MANY_EVENTS_A_MS ? CLAIM_SELDOM_MS : CLAIM_SOON_MS;
  const restMs = tenure.claimedAt + waitMs - Date.now();
  if (restMs > 0 && before < batchSize) await sleep(restMs);
  const apartMs = Math.max(1, Date.now() - tenure.claimedAt);
  tenure.claimedAt = Date.now();
  const batch = await claimBatch(pool, tenure.holder, tenure.claimed, batchSize);
  for (const event of batch) tenure.claimed.add(event.id);
  tenure.eventsAMs += (batch.length / apartMs - tenure.eventsAMs) * Math.min(1, apartMs / RATE_OVER_MS);
  return batch;
}

function giveUp({ claimed }: Tenure, batch: readonly ClaimedEvent[]): void {
  for (const event of batch) claimed.delete(event.id);
}

async function recordOutcome(
  deps: RelayDeps,
  { holder }: Tenure,
  sent: readonly SentEvent[],
  unsendable: readonly { event: ClaimedEvent; reason: string }[],
): Promise<void> {
  deps.metrics?.relaySent.inc(sent.length);
  const marked = await markSent(deps.pool, holder, sent);
  if (marked < sent.length)
    deps.log.warn({ sent: sent.length, marked }, 'another relay took events over; they are sent twice and count once');
  for (const { event, reason } of unsendable) {
    const parked = await inTransaction(deps.pool, async (tx) => {
      const count = await parkFrom(tx, holder, event, reason);
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
