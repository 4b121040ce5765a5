/**
 * Applies pending gate effects (P18): the ledger has committed them, the gate follows. All of them are idempotent, so
 * whatever was not marked is simply done again; pending is a status, never a range of ids. Marks are set under the
 * shared lock, and only for the epoch whose scripts did the work and the generation the key answered.
 */
import { gateCapacity } from '../../domain/index.ts';
import { inTransaction, type Metrics, type Pool, type Redis } from '../../platform/index.ts';
import { reportClosed } from '../epoch.ts';
import { judgeNotLoaded } from '../judge-not-loaded.ts';
import { epochKey, type SkuRef, skuKeys } from '../keys.ts';
import type { Scripts } from '../scripts.ts';
import { installSku } from './install-sku.ts';
import { takeNewGeneration } from './take-new-generation.ts';

export interface EffectDeps {
  readonly pool: Pool;
  readonly redis: Redis;
  readonly metrics: Metrics;
}

interface Effect extends SkuRef {
  readonly id: number;
  readonly kind: 'SETTLE' | 'GIVE_BACK' | 'RAISE' | 'INSTALL';
  readonly member: string | null;
}
interface Applied {
  readonly id: number;
  readonly generation: number;
}

const EFFECTS_A_BATCH = 2000;
const VERB_OF = { SETTLE: 'settle', GIVE_BACK: 'giveBack', RAISE: 'raise' } as const;

/** One batch, oldest first. Returns how many were marked and whether more are waiting. */
export async function applyEffects(
  deps: EffectDeps,
  epoch: number,
  scripts: Scripts,
): Promise<{ applied: number; more: boolean }> {
  const { rows } = await deps.pool.query<Effect>(
    `SELECT id, kind, shop_id AS "shopId", sku_id AS "skuId", reservation_id || ':' || quantity AS member
     FROM tinystore_inventory.gate_effect WHERE status = 'PENDING' ORDER BY id LIMIT $1`,
    [EFFECTS_A_BATCH],
  );
  const bySku = [...Map.groupBy(rows, (effect) => `${effect.shopId}/${effect.skuId}`).values()];
  const applied = (await Promise.all(bySku.map((effects) => applyToSku(deps, epoch, scripts, effects)))).flat();
  const marked = await markApplied(deps.pool, epoch, applied);
  for (const effect of rows) if (marked.has(effect.id)) deps.metrics.gateEffects.inc({ kind: effect.kind });
  return { applied: marked.size, more: rows.length === EFFECTS_A_BATCH && marked.size > 0 };
}

/** A SKU's pending INSTALL goes first; the others follow in id order, each kind in one call. */
async function applyToSku(
  deps: EffectDeps,
  epoch: number,
  scripts: Scripts,
  effects: readonly Effect[],
): Promise<Applied[]> {
  const applied: Applied[] = [];
  const install = effects.find((effect) => effect.kind === 'INSTALL');
  if (install) {
    const load = await takeNewGeneration(deps.pool, install, install.id, epoch);
    if (!load || !(await installSku(deps.redis, scripts, load))) return [];
    applied.push(
      ...effects.filter((e) => e.kind === 'INSTALL').map((e) => ({ id: e.id, generation: load.generation })),
    );
  }
  for (const [kind, group] of Map.groupBy(
    effects.filter((e) => e.kind !== 'INSTALL'),
    (e) => e.kind,
  )) {
    if (kind === 'INSTALL') continue;
    const args = kind === 'RAISE' ? [await capacityNow(deps.pool, group)] : group.flatMap((e) => e.member ?? []);
    const keys = skuKeys(group[0] ?? effects[0] ?? { shopId: '', skuId: '' });
    const reply = (await deps.redis.evalsha(scripts[VERB_OF[kind]].sha, keys.length, ...keys, ...args)) as string[];
    if (reply[0] === 'NOT_LOADED') await reportIfLost(deps, epoch, effects);
    if (reply[0] === 'DONE') applied.push(...group.map((e) => ({ id: e.id, generation: Number(reply[1]) })));
  }
  return applied;
}

/** An effect that meets no key waits; whether the key was lost, and the gate with it, the ledger says (P9, P18). */
async function reportIfLost(deps: EffectDeps, epoch: number, effects: readonly Effect[]): Promise<void> {
  const sku = effects[0];
  if (!sku) return;
  const isStillMissing = async () => (await deps.redis.exists(epochKey(sku))) === 0;
  await judgeNotLoaded(
    { pool: deps.pool, isStillMissing, reportClosed: (why) => reportClosed(deps.pool, epoch, why) },
    sku,
  );
}

/** T by the formula as it is now: never lower than when the effect was written, for T never falls (P4). */
async function capacityNow(pool: Pool, group: readonly Effect[]): Promise<string> {
  const sku = group[0];
  const { rows } = await pool.query<{ totalQuantity: number; confirmedQuantity: number }>(
    `SELECT total_quantity AS "totalQuantity", confirmed_quantity AS "confirmedQuantity"
     FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2`,
    [sku?.shopId, sku?.skuId],
  );
  if (!rows[0]) throw new Error(`no stock row for ${sku?.shopId}/${sku?.skuId}`);
  return String(gateCapacity(rows[0]));
}

async function markApplied(pool: Pool, epoch: number, applied: readonly Applied[]): Promise<Set<number>> {
  if (applied.length === 0) return new Set();
  return inTransaction(pool, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock_shared(ops.gate_lock_key())');
    const { rows } = await tx.query<{ id: number }>(
      `UPDATE tinystore_inventory.gate_effect e
       SET status = 'APPLIED', epoch = $1, generation = a.generation, applied_at = ops.clock_now()
       FROM unnest($2::bigint[], $3::bigint[]) AS a(id, generation), tinystore_inventory.gate_epoch g, tinystore_inventory.inventory_stock s
       WHERE e.id = a.id AND e.status = 'PENDING' AND g.epoch = $1
         AND s.shop_id = e.shop_id AND s.sku_id = e.sku_id AND s.generation = a.generation
       RETURNING e.id`,
      [epoch, applied.map((a) => a.id), applied.map((a) => a.generation)],
    );
    return new Set(rows.map((row) => row.id));
  });
}
