/** What happens by itself in a sweep: events arrive, time passes, a new process does what it finds to do. */
import type { PaymentProvider } from '@holdfast/core/order';
import {
  checkInvariants,
  deliverEvents,
  recoverAll,
  setClockOffset,
  type TestShop,
  type Violation,
} from '@holdfast/core/testing';
import type { ProductProcess } from './open-process.testing.ts';
import type { SweepStream } from './sweep-stream.testing.ts';

export interface RecoveryParts {
  readonly shop: TestShop;
  readonly own: ProductProcess;
  readonly stream: SweepStream;
  readonly provider: PaymentProvider;
}

export function recovery({ shop, own, stream, provider }: RecoveryParts) {
  const { pool, gate, gatekeeper, redis } = shop;
  let aheadMs = 0;
  const streamed = { deliver: () => stream.deliver(pool), also: [() => stream.retry(pool)] };
  const passing = {
    aheadMs: () => aheadMs,
    /** What is under way arrives; no job runs. */
    async settle(): Promise<void> {
      await deliverEvents(pool);
      await gatekeeper.runOnce();
    },
    /** Everything that a new process does, at this moment. */
    recover: (way: 'streamed' | 'straight' = 'straight') =>
      recoverAll({ pool, gate, gatekeeper, provider, ...(way === 'streamed' && streamed) }),
    /** Time passes: for database and scripts, and for what Redis remembers of requests. */
    async pass(ms: number): Promise<void> {
      await passing.leave(ms);
      await gatekeeper.runOnce();
    },
    /** Time passes, and this shop's gatekeeper does not look. */
    async leave(ms: number): Promise<void> {
      aheadMs += ms;
      await setClockOffset(pool, aheadMs);
      for (const key of await redis.keys('order:attempt:*')) {
        const noted = await redis.get(key);
        if (noted) await redis.set(key, noted.replace(/"busyUntil":\d+/, '"busyUntil":0'), 'KEEPTTL');
      }
      await gate.refresh();
      await own.gate.refresh();
    },
    check: (): Promise<Violation[]> => checkInvariants({ pool, gate }),
  };
  return passing;
}
