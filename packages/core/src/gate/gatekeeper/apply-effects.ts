/**
 * Applies pending gate effects (P18): the ledger has committed them, the gate follows. All of them are idempotent, so
 * whatever was not marked is simply done again; pending is a status, never a range of ids, and one that cannot be
 * applied blocks nothing. Marks are set under the shared lock, and only for the epoch whose scripts did the work and
 * the generation the key answered.
 */
import type { Log, Metrics, Pool, Redis, StopAt } from '../../platform/index.ts';
import { reportClosed } from '../epoch.ts';
import { judgeNotLoaded, type NotLoaded } from '../judge-not-loaded.ts';
import { type SkuRef, skuKeys } from '../keys.ts';
import { partsOf } from '../replies.ts';
import type { Scripts } from '../scripts.ts';
import { type Applied, applyToSku, type Effect } from './apply-to-sku.ts';
import { installSku, type SkuLoad } from './install-sku.ts';
import { markApplied } from './mark-applied.ts';
import { readCapacities } from './read-capacities.ts';
import { takeGenerations } from './take-generations.ts';

export interface EffectDeps {
  readonly pool: Pool;
  readonly redis: Redis;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly stopAt?: StopAt;
}
interface Open {
  readonly epoch: number;
  readonly scripts: Scripts;
}

const EFFECTS_A_PAGE = 2000;
const INSTALLS_A_CALL = 100;
/** What is left after as many goes on at the next tick. */
const MAX_PAGES_A_PASS = 5000;
/** SKUs of a page whose keys are looked into; one that is lost closes the gate, and the rebuild loads them all. */
const LOOKS_A_PAGE = 20;

/** All effects that are pending now, page by page in id order. `stopping` ends it between two pages. */
export async function applyEffects(deps: EffectDeps, open: Open, stopping: () => boolean): Promise<void> {
  let after = 0;
  for (let page = 0; page < MAX_PAGES_A_PASS && !stopping(); page++) {
    const { rows } = await deps.pool.query<Effect>(
      `SELECT id, kind, shop_id AS "shopId", sku_id AS "skuId", reservation_id || ':' || quantity AS member, generation
       FROM tinystore_inventory.gate_effect WHERE status = 'PENDING' AND id > $1 ORDER BY id LIMIT $2`,
      [after, EFFECTS_A_PAGE],
    );
    const last = rows.at(-1);
    if (!last) return;
    await deps.stopAt?.('effects.before-gate');
    await applyPage(deps, open, rows);
    after = last.id;
  }
}

async function applyPage(deps: EffectDeps, open: Open, effects: readonly Effect[]): Promise<void> {
  const installs = effects.filter((effect) => effect.kind === 'INSTALL');
  // Loads that cannot be made now wait; the effects of all other SKUs go on.
  const installed = await applyInstalls(deps, open, installs).catch((error: unknown) => {
    deps.log.warn({ error: String(error), skus: installs.length }, 'loads of single SKUs wait');
    return [];
  });
  // A SKU's pending INSTALL goes first; what is still loading answers BUSY and stays pending.
  const rest = effects.filter((effect) => effect.kind !== 'INSTALL');
  const capacities = await readCapacities(
    deps.pool,
    rest.filter((effect) => effect.kind === 'RAISE'),
  );
  const bySku = [...Map.groupBy(rest, nameOf).values()];
  const outcomes = await Promise.all(bySku.map((group) => applyToSku(deps, open.scripts, group, capacities)));
  const marked = await markApplied(deps.pool, open.epoch, [...installed, ...outcomes.flatMap((o) => o.applied)]);
  for (const effect of effects) if (marked.has(effect.id)) deps.metrics.gateEffects.inc({ kind: effect.kind });
  for (const sku of outcomes.flatMap((outcome) => outcome.notLoaded ?? []).slice(0, LOOKS_A_PAGE))
    if ((await reportIfLost(deps, open, sku)) === 'GATE_CLOSED') return;
}

/** Each try takes a generation of its own first, for a bounded number of SKUs at a time (P18). */
async function applyInstalls(
  deps: EffectDeps,
  { epoch, scripts }: Open,
  installs: readonly Effect[],
): Promise<Applied[]> {
  const applied: Applied[] = [];
  for (let from = 0; from < installs.length; from += INSTALLS_A_CALL) {
    const some = installs.slice(from, from + INSTALLS_A_CALL);
    const loads = await takeGenerations(
      deps.pool,
      some.map((effect) => effect.id),
      epoch,
    );
    const done = await Promise.all(loads.map((load) => installOne(deps, { epoch, scripts }, load)));
    const generationOf = new Map(loads.filter((_, i) => done[i]).map((load) => [nameOf(load), load.generation]));
    for (const effect of some) {
      const generation = generationOf.get(nameOf(effect));
      if (generation !== undefined) applied.push({ id: effect.id, generation });
    }
  }
  return applied;
}

/** False when it did not go in; one SKU that cannot be loaded keeps no other waiting. */
async function installOne(deps: EffectDeps, { epoch, scripts }: Open, load: SkuLoad): Promise<boolean> {
  try {
    const wentIn = await installSku(deps.redis, scripts, load);
    if (!wentIn) await reportIfAhead(deps, epoch, load);
    return wentIn;
  } catch (error) {
    // A connection that is lost is lost for all of them.
    if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
    deps.log.warn({ error: String(error), shopId: load.shopId, skuId: load.skuId }, 'a load waits');
    return false;
  }
}

/**
 * Refused, although the ledger has given out no later generation: what stands at the gate was never given out, and
 * only a new epoch is greater than it.
 */
async function reportIfAhead({ pool }: EffectDeps, epoch: number, load: SkuLoad): Promise<void> {
  const { rowCount } = await pool.query(
    `SELECT FROM tinystore_inventory.inventory_stock
     WHERE shop_id = $1 AND sku_id = $2 AND generation = $3 AND gate_mode = 'REDIS'`,
    [load.shopId, load.skuId, load.generation],
  );
  if (rowCount === 1) await reportClosed(pool, epoch, `KEY_AHEAD: ${nameOf(load)}`);
}

/**
 * An effect that meets no key, one of another epoch, or a load, waits; whether the key was lost, and the gate with it,
 * the ledger says (P9). A load that no effect asks for is one that nobody will end.
 */
function reportIfLost(deps: EffectDeps, { epoch, scripts }: Open, sku: SkuRef): Promise<NotLoaded> {
  const keys = skuKeys(sku);
  const isStillMissing = async () => {
    const [word] = partsOf(await deps.redis.evalsha(scripts.read.sha, keys.length, ...keys, '0', '0', '0', '0'));
    return word === 'NOT_LOADED' || word === 'STALE_EPOCH' || word === 'BUSY';
  };
  const report = (why: string) => reportClosed(deps.pool, epoch, why);
  return judgeNotLoaded({ pool: deps.pool, isStillMissing, reportClosed: report }, sku);
}

const nameOf = (sku: SkuRef) => `${sku.shopId}/${sku.skuId}`;
