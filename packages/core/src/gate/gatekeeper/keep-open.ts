/**
 * One look of the gatekeeper at the gate (P9, P10): is it open on the server that answers now? If not, it is rebuilt,
 * under a lease that is renewed while that takes.
 */
import { holdLease, type Metrics, type Redis } from '../../platform/index.ts';
import { type GateEpoch, readEpoch } from '../epoch.ts';
import { readIdentity, readPrimary, sameIdentity } from '../identity.ts';
import { allPresent } from '../replies.ts';
import { type Scripts, scriptsFor, VERBS } from '../scripts.ts';
import { readRequest } from './ask-for-rebuild.ts';
import { type RebuildDeps, rebuildGate } from './rebuild.ts';

export interface KeepOpenDeps extends RebuildDeps {
  /** The connection for effects and the watch: opened by `openGateRedis`. */
  readonly redis: Redis;
  readonly holder: string;
  readonly metrics: Metrics;
  /** Default 5 000. */
  readonly leaseMs?: number;
}
export interface OpenGate {
  readonly epoch: number;
  readonly scripts: Scripts;
}

export const LEASE = 'gatekeeper';
const LEASE_MS = 5000;
const leaseMs = (deps: KeepOpenDeps) => deps.leaseMs ?? LEASE_MS;

/** The open epoch, after a rebuild where one was asked for or due; undefined without the lease or when overtaken. */
export async function keepOpen(deps: KeepOpenDeps): Promise<OpenGate | undefined> {
  if (!(await holdLease(deps.pool, LEASE, deps.holder, leaseMs(deps)))) return undefined;
  const row = await readEpoch(deps.pool);
  const request = await readRequest(deps.pool);
  const reason = request?.reason ?? (await whyClosed(deps, row));
  if (!reason) return { epoch: row.epoch, scripts: scriptsFor(row.epoch) };
  deps.log.warn({ epoch: row.epoch, reason, request: request?.id }, 'gate closed, rebuilding');
  deps.metrics.gateRebuilds.inc();
  const cause = { reason, before: row.epoch, request: request?.id };
  const epoch = await underLease(deps, () => rebuildGate(deps, cause));
  return epoch === undefined ? undefined : { epoch, scripts: scriptsFor(epoch) };
}

/** Without it another worker would start a rebuild of its own after five seconds, and each would overtake the other. */
async function underLease<T>(deps: KeepOpenDeps, work: () => Promise<T>): Promise<T> {
  const renew = () =>
    holdLease(deps.pool, LEASE, deps.holder, leaseMs(deps)).catch((error: unknown) =>
      deps.log.debug({ error: String(error) }, 'lease not renewed'),
    );
  const timer = setInterval(() => void renew(), leaseMs(deps) / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The reason for a rebuild, or undefined while the gate stands. Flushed scripts on the same server are loaded again. */
async function whyClosed(deps: KeepOpenDeps, row: GateEpoch): Promise<string | undefined> {
  if (!row.open || !row.server) return 'not open';
  if (row.closedReported) return row.closedReason ?? 'reported closed';
  const found = await readIdentity(deps.redis);
  if (found === 'no primary' || !sameIdentity(row.server, found)) {
    if (!(await leadsToAnother(deps, row.server))) {
      deps.redis.disconnect(true);
      throw new Error('this connection leads to a former primary; it is opened anew');
    }
    deps.redis.disconnect(true);
    return 'another Redis server';
  }
  const scripts = scriptsFor(row.epoch);
  const present = await deps.redis.script('EXISTS', ...VERBS.map((verb) => scripts[verb].sha));
  if (!allPresent(present)) await Promise.all(VERBS.map((verb) => deps.redis.script('LOAD', scripts[verb].text)));
  return undefined;
}

/** Asked over a new connection, for an old one may outlive a failover. */
async function leadsToAnother(deps: KeepOpenDeps, server: NonNullable<GateEpoch['server']>): Promise<boolean> {
  const fresh = await deps.openInstallRedis();
  try {
    return !sameIdentity(server, await readPrimary(fresh));
  } finally {
    fresh.disconnect();
  }
}
