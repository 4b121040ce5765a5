/**
 * The gatekeeper: one serial loop in one worker (by lease) that watches the gate, rebuilds it when it is closed, and
 * applies gate effects. Runs every second on a timer of its own, at once when woken. A gatekeeper that was paused
 * and comes back late can do no harm: whatever it still does is refused by epoch and generation.
 */
import { dropLease, holdLease, type Metrics, type Redis } from '../../platform/index.ts';
import { readEpoch } from '../epoch.ts';
import { readIdentity, sameIdentity } from '../identity.ts';
import { allPresent } from '../replies.ts';
import { type Scripts, scriptsFor, VERBS } from '../scripts.ts';
import { applyEffects } from './apply-effects.ts';
import { type RebuildCause, type RebuildDeps, rebuildGate } from './rebuild.ts';

export interface GatekeeperDeps extends RebuildDeps {
  /** The connection for effects and the watch: opened by `openGateRedis`. */
  readonly redis: Redis;
  readonly holder: string;
  readonly metrics: Metrics;
}

export interface Gatekeeper {
  start(): void;
  /** Runs the loop now: effects are waiting, or the gate was reported closed. */
  wake(topic: 'effects' | 'gate'): void;
  /** Runs the loop once and waits for it; for tests and orderly starts. */
  runOnce(): Promise<void>;
  /** A person's rebuild: flushes every script first. */
  rebuild(): Promise<void>;
  stop(): Promise<void>;
}

interface OpenGate {
  readonly epoch: number;
  readonly scripts: Scripts;
}

const LEASE = 'gatekeeper';
const LEASE_MS = 5000;
const TICK_MS = 1000;

export function createGatekeeper(deps: GatekeeperDeps): Gatekeeper {
  let running: Promise<void> | undefined;
  let again = false;
  let asked = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  let watched: { readonly open: OpenGate; readonly at: number } | undefined;

  const pass = async () => {
    // Woken for effects alone, between two ticks: lease and watch were renewed a moment ago, and an epoch that has
    // ended meanwhile marks nothing.
    if (watched && !asked && performance.now() - watched.at < TICK_MS) {
      await applyEffects(deps, watched.open, () => stopped);
      return;
    }
    const cause = asked ? 'asked' : 'closed';
    watched = undefined;
    const open = await keepOpen(deps, cause);
    if (!open) return;
    if (cause === 'asked') asked = false;
    watched = { open, at: performance.now() };
    await applyEffects(deps, open, () => stopped);
  };

  /** One pass at a time; a wish during a pass makes one more. */
  const run = (): Promise<void> => {
    if (running !== undefined) {
      again = true;
      return running;
    }
    running = (async () => {
      do {
        again = false;
        await pass().catch((error: unknown) =>
          deps.log.warn({ error: String(error) }, 'gatekeeper pass failed; the next tick tries again'),
        );
      } while (again && !stopped);
    })().finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    start() {
      timer ??= setInterval(() => {
        watched = undefined;
        void run();
      }, TICK_MS);
      void run();
    },
    wake(topic) {
      if (topic === 'gate') watched = undefined;
      void run();
    },
    runOnce() {
      watched = undefined;
      return run();
    },
    async rebuild() {
      asked = true;
      await run();
      if (asked) await run();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
      await dropLease(deps.pool, LEASE, deps.holder).catch((error: unknown) =>
        deps.log.debug({ error: String(error) }, 'lease not dropped'),
      );
    },
  };
}

/** The open epoch with its scripts, after a rebuild where one was asked for or due; undefined without the lease or when overtaken. */
async function keepOpen(deps: GatekeeperDeps, cause: RebuildCause): Promise<OpenGate | undefined> {
  if (!(await holdLease(deps.pool, LEASE, deps.holder, LEASE_MS))) return undefined;
  const row = await readEpoch(deps.pool);
  const reason = cause === 'asked' ? 'a person asked' : await whyClosed(deps, row);
  if (!reason) return { epoch: row.epoch, scripts: scriptsFor(row.epoch) };
  deps.log.warn({ epoch: row.epoch, reason }, 'gate closed, rebuilding');
  deps.metrics.gateRebuilds.inc();
  const epoch = await rebuildGate(deps, cause);
  return epoch === undefined ? undefined : { epoch, scripts: scriptsFor(epoch) };
}

/** The reason for a rebuild, or undefined while the gate stands. Flushed scripts on the same server are loaded again. */
async function whyClosed(
  deps: GatekeeperDeps,
  row: Awaited<ReturnType<typeof readEpoch>>,
): Promise<string | undefined> {
  if (!row.open || !row.server) return 'not open';
  if (row.closedReported) return 'reported closed';
  const found = await readIdentity(deps.redis);
  if (!sameIdentity(row.server, found)) return 'another Redis server';
  const scripts = scriptsFor(row.epoch);
  const present = await deps.redis.script('EXISTS', ...VERBS.map((verb) => scripts[verb].sha));
  if (!allPresent(present)) await Promise.all(VERBS.map((verb) => deps.redis.script('LOAD', scripts[verb].text)));
  return undefined;
}
