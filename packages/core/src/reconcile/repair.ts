/** P37: held too little at once, held too much when it still differs in the next run. Never a number written blindly. */
import type { Log, Pool, Waker } from '../platform/index.ts';
import type { Comparison } from './compare.ts';
import type { LedgerFacts } from './facts.ts';
import { type Reinstall, reinstallSku } from './reinstall.ts';

export type Judged = Extract<Comparison, { kind: 'judged' }>;
/**
 * A key that the scripts refuse to count with: nothing of the SKU can be sold, given back or settled. By which
 * units it is wrong nobody knows, so it is put right like one that holds too little.
 */
export type Broken = Extract<Comparison, { kind: 'unknown' }> & { readonly ledger: LedgerFacts };

export function isBroken(found: Comparison): found is Broken {
  return found.kind === 'unknown' && found.why === 'BROKEN_KEY' && found.ledger !== undefined;
}

/** True when the SKU is loaded anew; false when another process was faster or the lock was not free. */
export async function repair(
  { pool, waker, log }: { readonly pool: Pool; readonly waker: Waker; readonly log: Log },
  found: Judged | Broken,
  runId: string,
  actor: string,
): Promise<boolean> {
  const { shopId, skuId } = found;
  const outcome = await reinstallSku(pool, {
    shopId,
    skuId,
    generation: found.ledger.generation,
    runId,
    actor,
    ...(found.kind === 'judged' ? whatDiffers(found) : whatBroke(found)),
  });
  if (outcome.kind === 'reinstalling') waker.wake('effects');
  else log.info({ shopId, skuId, outcome: outcome.kind }, 're-install left to the next run');
  return outcome.kind === 'reinstalling';
}

type Reason = Pick<Reinstall, 'cause' | 'before' | 'epoch' | 'version' | 'unexplained'>;

function whatDiffers({ gate, ledger, explanation }: Judged): Reason {
  return {
    cause: explanation.risk === 'oversell' ? 'held too little' : 'held too much in two runs in a row',
    before: {
      generation: ledger.generation,
      total: gate.total,
      deducted: gate.deducted,
      holds: gate.holds.length,
      rows: explanation.rows,
    },
    epoch: gate.epoch,
    version: gate.version,
    unexplained: explanation.deducted.unexplained + explanation.capacity.unexplained,
  };
}

function whatBroke({ ledger, why }: Broken): Reason {
  return {
    cause: 'a broken key, treated as held too little',
    before: { generation: ledger.generation, unknown: why },
  };
}
