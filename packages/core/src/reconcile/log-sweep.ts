/** What the ghost sweep ended, one REPAIR row a SKU: it heals the gate's counter as a re-install does (P37). */
import { mint } from '../domain/index.ts';
import type { GateCounters } from '../gate/index.ts';
import type { Sql } from '../platform/index.ts';
import { nameOf } from './read-ledger.ts';
import type { OldHold } from './read-old-holds.ts';
import { logRepair } from './reconcile-log.ts';

/** Ids in one row; the abandonment rows have them all. */
const SAMPLE = 20;

export async function logSweep(
  sql: Sql,
  ended: readonly OldHold[],
  readings: ReadonlyMap<string, GateCounters>,
): Promise<void> {
  const runId = mint();
  for (const [name, holds] of Map.groupBy(ended, nameOf)) {
    const reading = readings.get(name);
    const [first] = holds;
    if (!reading || !first) continue;
    const { epoch, generation, version, total, deducted, holdCount } = reading;
    const settled = holds.filter((hold) => hold.verdict === 'settle');
    const units = holds.filter((hold) => hold.verdict !== 'settle').reduce((sum, hold) => sum + hold.quantity, 0);
    await logRepair(sql, {
      runId,
      actor: 'gate.sweep-ghost-holds',
      shopId: first.shopId,
      skuId: first.skuId,
      before: {
        total,
        deducted,
        holds: holdCount,
        reservations: holds.slice(0, SAMPLE).map((hold) => hold.reservationId),
      },
      after: { action: 'SWEEP', givenBack: holds.length - settled.length, settled: settled.length, units },
      epoch,
      generation,
      version,
      cause: 'holds that no order will ever name, or that have ended',
    });
  }
}
