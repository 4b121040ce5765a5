/**
 * What Redis remembers of an idempotency key (P22): a 10 s lease of the request at work, the ids it is about to take
 * (120 s), and after the commit the answer. Only a convenience on top of the unique key on `trade`: losing all of it
 * changes no outcome, it only costs the database a look.
 */

import type { Hold } from '../gate/index.ts';
import type { Redis } from '../platform/index.ts';

const LEASE_MS = 10_000;
const IDS_MS = 120_000;

export interface Placed {
  readonly kind: 'placed';
  readonly tradeId: string;
  /** ISO 8601, by the database's clock. */
  readonly payUntil: string;
  readonly totalMinor: number;
  readonly currency: string;
  /** True when an earlier request with the same key made this order. */
  readonly repeated: boolean;
}

export type Memory =
  | { readonly kind: 'answer'; readonly answer: Placed; readonly fingerprint: string }
  | { readonly kind: 'at-work' }
  /** Ours now. `openIds`: taken by an earlier request whose end nobody knows. */
  | { readonly kind: 'begun'; readonly openIds: readonly Hold[] };

export interface AttemptMemory {
  begin(): Promise<Memory>;
  /** Must be sent before the take, on the same connection. */
  noteIds(holds: readonly Hold[]): Promise<unknown>;
  remember(answer: Placed, fingerprint: string): void;
  /** `keepIds`: the outcome is unknown and the next request has to find out. */
  release(keepIds: boolean): void;
}

export function attemptMemory(redis: Redis, buyerId: string, key: string, answerSeconds: number): AttemptMemory {
  const lease = `order:lease:{${buyerId}}:${key}`;
  const note = `order:attempt:{${buyerId}}:${key}`;
  const ignore = () => undefined;
  return {
    async begin() {
      const [leased, text] = await Promise.all([redis.set(lease, '1', 'PX', LEASE_MS, 'NX'), redis.get(note)]);
      const known = text ? (JSON.parse(text) as { answer?: Placed; fingerprint?: string; ids?: Hold[] }) : {};
      if (known.answer && known.fingerprint) {
        if (leased) redis.del(lease).catch(ignore);
        return { kind: 'answer', answer: known.answer, fingerprint: known.fingerprint };
      }
      return leased ? { kind: 'begun', openIds: known.ids ?? [] } : { kind: 'at-work' };
    },
    noteIds: (holds) =>
      redis.set(
        note,
        JSON.stringify({
          ids: holds.map(({ shopId, skuId, reservationId, quantity }) => ({ shopId, skuId, reservationId, quantity })),
        }),
        'PX',
        IDS_MS,
      ),
    remember(answer, fingerprint) {
      redis.set(note, JSON.stringify({ answer, fingerprint }), 'EX', answerSeconds).catch(ignore);
      redis.del(lease).catch(ignore);
    },
    release(keepIds) {
      if (!keepIds) redis.del(note).catch(ignore);
      redis.del(lease).catch(ignore);
    },
  };
}
