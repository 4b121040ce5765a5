/** Applies one SKU's effects but for INSTALL: one script call a kind; REMOVE first, else the order of kinds does not matter. */
import type { Log, Redis } from '../../platform/index.ts';
import { type SkuRef, skuKeys } from '../keys.ts';
import { decodeMove, partsOf } from '../replies.ts';
import type { Scripts } from '../scripts.ts';
import type { Capacities } from './read-capacities.ts';

export interface Effect extends SkuRef {
  readonly id: number;
  readonly kind: 'SETTLE' | 'GIVE_BACK' | 'RAISE' | 'INSTALL' | 'REMOVE';
  readonly member: string | null;
  /** Of a REMOVE: that of the switch which wrote it. */
  readonly generation: number | null;
}
export interface Applied {
  readonly id: number;
  /** What the key answered; the mark is set only while the SKU still has it. */
  readonly generation: number;
}
export interface SkuOutcome {
  readonly applied: readonly Applied[];
  /** The SKU when its keys were not there, of another epoch, or under a load. */
  readonly notLoaded?: SkuRef;
}

/** Holds in one call: about 1 ms of script time. */
const HOLDS_A_CALL = 500;
const VERB_OF = { SETTLE: 'settle', GIVE_BACK: 'giveBack', RAISE: 'raise' } as const;

/** A SKU whose script fails is logged and left pending; the others go on. */
export async function applyToSku(
  deps: { readonly redis: Redis; readonly log: Log },
  scripts: Scripts,
  effects: readonly Effect[],
  capacities: Capacities,
): Promise<SkuOutcome> {
  const applied: Applied[] = [];
  const [sku] = effects;
  if (!sku) return { applied };
  const keys = skuKeys(sku);
  try {
    applied.push(...(await remove(deps.redis, scripts, keys, effects)));
    for (const { kind, group } of callsFor(effects)) {
      const args = (kind === 'RAISE' ? [capacities(sku)] : group.map((effect) => effect.member)).filter(
        (a) => a != null,
      );
      if (args.length === 0) throw new Error(`the ledger has nothing for a ${kind}`);
      const { sha } = scripts[VERB_OF[kind]];
      const reply = decodeMove(partsOf(await deps.redis.evalsha(sha, keys.length, ...keys, ...args)));
      if (reply.kind === 'refused') return { applied, notLoaded: sku };
      applied.push(...group.map(({ id }) => ({ id, generation: reply.generation })));
    }
  } catch (error) {
    deps.log.warn({ error: String(error), shopId: sku.shopId, skuId: sku.skuId }, 'gate effects wait');
  }
  return { applied };
}

/** One call a kind; many holds in several, each short (C48). */
function* callsFor(effects: readonly Effect[]) {
  for (const kind of ['SETTLE', 'GIVE_BACK', 'RAISE'] as const) {
    const group = effects.filter((effect) => effect.kind === kind);
    const size = kind === 'RAISE' ? Math.max(1, group.length) : HOLDS_A_CALL;
    for (let from = 0; from < group.length; from += size) yield { kind, group: group.slice(from, from + size) };
  }
}

/** Done when the key is gone or was loaded later: it is left then. */
async function remove(
  redis: Redis,
  scripts: Scripts,
  keys: readonly string[],
  effects: readonly Effect[],
): Promise<Applied[]> {
  const removes = effects.filter((effect) => effect.kind === 'REMOVE');
  if (removes.length === 0) return [];
  const newest = Math.max(...removes.map((effect) => effect.generation ?? 0));
  const reply = decodeMove(partsOf(await redis.evalsha(scripts.remove.sha, keys.length, ...keys, String(newest))));
  return reply.kind === 'done' ? removes.map(({ id, generation }) => ({ id, generation: generation ?? 0 })) : [];
}
