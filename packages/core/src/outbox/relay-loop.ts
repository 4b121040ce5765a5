/**
 * The loop around the relay: woken after commits, at the latest each second by its own timer, so that it needs
 * neither Redis nor the job queue (P35). An outage of database or broker only makes it wait longer.
 */
import { dropLease } from '../platform/index.ts';
import { RELAY_LEASE } from './claim-batch.ts';
import { drainOutbox, newTenure, type RelayDeps } from './relay.ts';

const MAX_BACK_OFF_MS = 5000;

export interface RelayLoop {
  start(): void;
  wake(): void;
  /** Ends after the send in flight and gives the lease up. */
  stop(): Promise<void>;
}

export function createRelayLoop(deps: RelayDeps & { readonly pollMs?: number }): RelayLoop {
  const pollMs = deps.pollMs ?? 1000;
  let stopping = false;
  let woken = false;
  let interrupt: (why: 'wake' | 'stop') => void = () => undefined;
  let running: Promise<void> | undefined;

  /** A back-off is cut short by a stop only, else each commit of an outage would start a try. */
  const pause = (ms: number, endsAt: 'wake' | 'stop') =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      interrupt = (why) => {
        if (why === 'wake' && endsAt === 'stop') return;
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    let tenure = newTenure(deps);
    let failures = 0;
    while (!stopping) {
      woken = false;
      try {
        const { leaseHeld } = await drainOutbox(deps, tenure, () => stopping);
        if (!leaseHeld) tenure = newTenure(deps);
        if (failures > 0) deps.log.info({ failures }, 'relay is sending again');
        failures = 0;
      } catch (error) {
        tenure = newTenure(deps, tenure);
        failures++;
        deps.log.warn({ error, failures }, 'relay could not send; trying again');
        await pause(Math.min(100 * 2 ** Math.min(failures, 10), MAX_BACK_OFF_MS) * (0.75 + Math.random() / 2), 'stop');
        continue;
      }
      if (!woken && !stopping) await pause(pollMs, 'wake');
    }
    await dropLease(deps.pool, RELAY_LEASE, tenure.holder).catch((error: unknown) =>
      deps.log.debug({ error }, 'lease runs out by itself'),
    );
  }

  return {
    start() {
      running ??= run();
    },
    wake() {
      woken = true;
      interrupt('wake');
    },
    async stop() {
      stopping = true;
      interrupt('stop');
      await running;
    },
  };
}
