/** Carries out what plan-repair says, one SKU at a time, each guarded by itself and logged with before and after (P37). */
import { reportClosed } from '../gate/index.ts';
import type { Log, Pool, Waker } from '../platform/index.ts';
import { issueEffects } from './issue-effects.ts';
import type { Judged, Remedy, Stuck } from './plan-repair.ts';
import { logRepair } from './reconcile-log.ts';
import { type Reinstall, reinstallSku } from './reinstall.ts';

export interface RepairDeps {
  readonly pool: Pool;
  readonly waker: Waker;
  readonly log: Log;
}
export interface RepairedBy {
  readonly runId: string;
  readonly actor: string;
}

/** The rest of a larger set is met by the next run. */
const MAX_EFFECTS_A_SKU = 5000;

/** True when something was set going; false when another process was faster, or the lock was not free. */
export async function repair(
  deps: RepairDeps,
  found: Judged | Stuck,
  remedy: Exclude<Remedy, 'none' | 'wait'>,
  by: RepairedBy,
): Promise<boolean> {
  const outcome = await carryOut(deps, found, remedy, by);
  if (outcome === 'done') deps.waker.wake(remedy === 'rebuild' ? 'gate' : 'effects');
  else deps.log.info({ shopId: found.shopId, skuId: found.skuId, remedy, outcome }, 'repair left to the next run');
  return outcome === 'done';
}

async function carryOut(
  { pool }: RepairDeps,
  found: Judged | Stuck,
  remedy: 'effects' | 'reinstall' | 'rebuild',
  by: RepairedBy,
): Promise<'done' | 'busy' | 'moved'> {
  if (remedy === 'effects' && found.kind === 'judged') return issueMissing(pool, found, by);
  if (remedy === 'rebuild') return askForRebuild(pool, found, by);
  const { shopId, skuId, ledger } = found;
  const reason = found.kind === 'judged' ? whatDiffers(found) : whatIsStuck(found);
  const outcome = await reinstallSku(pool, { shopId, skuId, generation: ledger.generation, ...by, ...reason });
  return outcome.kind === 'reinstalling' ? 'done' : outcome.kind;
}

async function issueMissing(pool: Pool, found: Judged, by: RepairedBy): Promise<'done' | 'busy' | 'moved'> {
  const { shopId, skuId, gate, explanation } = found;
  const issued = await issueEffects(pool, {
    shopId,
    skuId,
    ...by,
    reservationIds: explanation.withoutEffect.slice(0, MAX_EFFECTS_A_SKU),
    cause: 'ended in the ledger and still held',
    before: asFound(found),
    epoch: gate.epoch,
    generation: gate.generation,
    version: gate.version,
    unexplained: explanation.deducted.unexplained + explanation.capacity.unexplained,
  });
  if (issued === 'busy') return 'busy';
  return issued > 0 ? 'done' : 'moved';
}

/** A key with a greater epoch or generation than any load will have: only a new epoch stands above it (P10). */
async function askForRebuild(pool: Pool, found: Judged | Stuck, by: RepairedBy): Promise<'done'> {
  const { shopId, skuId, ledger } = found;
  await reportClosed(pool, ledger.epoch, `KEY_REFUSES_LOADS: ${shopId}/${skuId}`);
  await logRepair(pool, {
    ...by,
    shopId,
    skuId,
    before: { generation: ledger.generation, ...(found.kind === 'unknown' && { unknown: found.why }) },
    after: { action: 'REBUILD' },
    epoch: ledger.epoch,
    generation: ledger.generation,
    cause: 'a key that refuses every load of this epoch',
  });
  return 'done';
}

type Reason = Omit<Reinstall, 'shopId' | 'skuId' | 'generation' | 'runId' | 'actor'>;

function whatDiffers(found: Judged): Reason {
  const { gate, ledger, explanation } = found;
  const cause =
    explanation.risk === 'oversell'
      ? 'held too little'
      : gate.generation === ledger.generation
        ? 'held too much in two runs in a row'
        : 'loaded under another generation, so that nothing is sold';
  return {
    cause,
    before: asFound(found),
    gateGeneration: gate.generation,
    epoch: gate.epoch,
    version: gate.version,
    unexplained: explanation.deducted.unexplained + explanation.capacity.unexplained,
  };
}

function asFound({ gate, ledger, explanation }: Judged) {
  return {
    generation: ledger.generation,
    total: gate.total,
    deducted: gate.deducted,
    holds: gate.holds.length,
    rows: explanation.rows,
  };
}

function whatIsStuck({ ledger, why }: Stuck): Reason {
  const cause = why === 'BROKEN_KEY' ? 'a broken key, treated as held too little' : 'a SKU that answers nobody';
  return { cause, before: { generation: ledger.generation, unknown: why }, epoch: ledger.epoch };
}
