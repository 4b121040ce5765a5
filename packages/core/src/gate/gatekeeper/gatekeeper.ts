/**
 * The gatekeeper: one serial loop in one worker (by lease) that watches the gate, rebuilds it when it is closed, and
 * applies gate effects. Runs every second on a timer of its own, at once when woken. A gatekeeper that was paused
 * and comes back late can do no harm: whatever it still does is refused by epoch and generation.
 */
import { mint } from '../../domain/index.ts';
import { dropLease } from '../../platform/index.ts';
import { applyEffects } from './apply-effects.ts';
import { askForRebuild, readRequest } from './ask-for-rebuild.ts';
import { type KeepOpenDeps, keepOpen, LEASE, type OpenGate } from './keep-open.ts';
import { markWithoutGate } from './mark-without-gate.ts';
import { runSerially } from './run-serially.ts';
import { createOpeningWatch } from './watch-opening.ts';

export interface GatekeeperDeps extends KeepOpenDeps {
  /** Default 60 000: closed for longer, the gate is an incident. */
  readonly closedTooLongMs?: number;
}

export interface Gatekeeper {
  start(): void;
  /** Runs the loop now: effects are waiting, or the gate was reported closed. */
  wake(topic: 'effects' | 'gate'): void;
  /** Runs the loop once and waits for it; for tests and orderly starts. */
  runOnce(): Promise<void>;
  /** A rebuild as a person asks for it, waited for; for tests. */
  rebuild(reason?: string): Promise<void>;
  stop(): Promise<void>;
}

const TICK_MS = 1000;

export function createGatekeeper(deps: GatekeeperDeps): Gatekeeper {
  let watched: { readonly open: OpenGate; readonly at: number } | undefined;
  const watchOpening = createOpeningWatch(deps, deps.closedTooLongMs);
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const pass = async () => {
    await markWithoutGate(deps.pool);
    // Woken for effects alone, between two ticks: lease and watch were renewed a moment ago, and an epoch that has
    // ended meanwhile marks nothing.
    if (watched && performance.now() - watched.at < TICK_MS) return applyEffects(deps, watched.open, () => stopped);
    watched = undefined;
    const open = await watchOpening(() => keepOpen(deps));
    if (!open) return;
    watched = { open, at: performance.now() };
    await applyEffects(deps, open, () => stopped);
  };
  const runs = runSerially(pass, (error) =>
    deps.log.warn({ error: String(error) }, 'gatekeeper pass failed; the next tick tries again'),
  );
  const lookAndRun = () => {
    watched = undefined;
    return runs.run();
  };

  return {
    start() {
      timer ??= setInterval(() => void lookAndRun(), TICK_MS);
      void lookAndRun();
    },
    wake: (topic) => void (topic === 'gate' ? lookAndRun() : runs.run()),
    runOnce: lookAndRun,
    async rebuild(reason = 'asked in the process of the gatekeeper') {
      await askForRebuild(deps, { requestId: mint(), actor: deps.holder, reason });
      await lookAndRun();
      // A pass that was under way may have looked before the wish.
      if (await readRequest(deps.pool)) await lookAndRun();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await runs.stop();
      await dropLease(deps.pool, LEASE, deps.holder).catch((error: unknown) =>
        deps.log.debug({ error: String(error) }, 'lease not dropped'),
      );
    },
  };
}
