/**
 * What Redis remembers of an idempotency key (P22), in one key: until when the request at work has it (10 s), the ids it
 * is about to take (120 s), and after the commit the answer. Only a convenience on top of the unique key on `trade`:
 * losing all of it, or two requests that both take over, change no outcome; it only costs the database a look.
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
  /** `unknown`: the ids stay noted, for the next request has to find out what became of them. */
  release(outcome: 'refused' | 'unknown'): void;
}

/** The value: an answer, or what a request under way has written. */
interface Noted {
  readonly answer?: Placed;
  readonly fingerprint?: string;
  /** Milliseconds since 1970; 0 once the request has ended. */
  readonly busyUntil?: number;
  readonly ids?: readonly Hold[];
}

export function attemptMemory(redis: Redis, buyerId: string, key: string, answerSeconds: number): AttemptMemory {
  const name = `order:attempt:{${buyerId}}:${key}`;
  let ids: readonly Hold[] = [];
  const ignore = () => undefined;
  const write = (busyUntil: number) => redis.set(name, JSON.stringify({ busyUntil, ids }), 'PX', IDS_MS);
  const leaseEnd = () => Date.now() + LEASE_MS;

  return {
    async begin() {
      const mine = JSON.stringify({ busyUntil: leaseEnd(), ids });
      const text = await redis.set(name, mine, 'PX', IDS_MS, 'NX', 'GET');
      if (text === null) return { kind: 'begun', openIds: [] };
      const noted = JSON.parse(text) as Noted;
      if (noted.answer && noted.fingerprint)
        return { kind: 'answer', answer: noted.answer, fingerprint: noted.fingerprint };
      if ((noted.busyUntil ?? 0) > Date.now()) return { kind: 'at-work' };
      ids = noted.ids ?? [];
      await write(leaseEnd());
      return { kind: 'begun', openIds: ids };
    },
    noteIds(holds) {
      ids = holds.map(({ shopId, skuId, reservationId, quantity }) => ({ shopId, skuId, reservationId, quantity }));
      return write(leaseEnd());
    },
    remember(answer, fingerprint) {
      redis.set(name, JSON.stringify({ answer, fingerprint }), 'EX', answerSeconds).catch(ignore);
    },
    release(outcome) {
      if (outcome === 'refused') redis.del(name).catch(ignore);
      else write(0).catch(ignore);
    },
  };
}
