/**
 * Explain this number: the named rows that add up to a figure of one SKU, now or in the past (design section 11). The
 * ledger's figures are known at every instant, the gate's own now and where the log has them. What could not be read
 * is said, never guessed.
 */
import type { SkuRef } from '../../gate/index.ts';
import type { Sql } from '../../platform/index.ts';
import { type CompareDeps, compareSkus } from '../compare.ts';
import type { Sum } from './add-up.ts';
import { FIGURES, type Figure, type GateFigure, isGateFigure } from './figures.ts';
import { type GateLook, gateRows } from './gate-rows.ts';
import { ledgerRows } from './ledger-rows.ts';
import { readLedgerSums } from './ledger-sums.ts';
import { readLoggedGate } from './logged-gate.ts';

export interface Question extends SkuRef {
  readonly figure: Figure;
  /** A past instant; now when left out. */
  readonly at?: Date;
}

export type FigureAnswer = SkuRef & {
  readonly figure: Figure;
  readonly sentence: string;
} & (
    | (Sum & {
        readonly kind: 'explained';
        /** The instant the rows are of: for the gate's past figures the last one that was logged. */
        readonly at: Date;
        readonly source: 'now' | 'ledger-then' | 'log';
      })
    /** NOT_LOGGED: the log has nothing of the gate up to that instant. Else why the gate cannot be read now. */
    | { readonly kind: 'unknown'; readonly why: string }
  );

/** @returns undefined for a SKU that the ledger does not have */
export async function explainFigure(deps: CompareDeps, question: Question): Promise<FigureAnswer | undefined> {
  const { shopId, skuId, figure, at } = question;
  const asked = { shopId, skuId, figure, sentence: FIGURES[figure].sentence };
  if (isGateFigure(figure)) {
    const now = await readClock(deps.pool, question);
    return (
      now && {
        ...asked,
        ...(await (at ? explainLogged(deps, question, figure, at) : explainGateNow(deps, question, figure, now))),
      }
    );
  }
  const sums = await readLedgerSums(deps.pool, question, at ?? null);
  return (
    sums && {
      ...asked,
      kind: 'explained',
      at: sums.at,
      source: at ? 'ledger-then' : 'now',
      ...ledgerRows(figure, sums),
    }
  );
}

/** The database's time; undefined for a SKU that it does not have. */
async function readClock(sql: Sql, { shopId, skuId }: SkuRef): Promise<Date | undefined> {
  const { rows } = await sql.query<{ now: Date }>(
    'SELECT ops.clock_now() AS now FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2',
    [shopId, skuId],
  );
  return rows[0]?.now;
}

async function explainLogged(deps: CompareDeps, sku: SkuRef, figure: GateFigure, at: Date) {
  const logged = await readLoggedGate(deps.pool, sku, at);
  if (!logged) return { kind: 'unknown' as const, why: 'NOT_LOGGED' };
  return { kind: 'explained' as const, at: logged.at, source: 'log' as const, ...gateRows(figure, logged.look) };
}

async function explainGateNow(deps: CompareDeps, sku: SkuRef, figure: GateFigure, at: Date) {
  const [found] = await compareSkus(deps, [{ shopId: sku.shopId, skuId: sku.skuId }]);
  if (found?.kind !== 'judged') {
    const why = found?.kind === 'unknown' ? found.why : found?.kind === 'moving' ? 'MOVING' : 'NOT_AT_GATE';
    return { kind: 'unknown' as const, why };
  }
  const { gate, ledger, explanation } = found;
  const look: GateLook = {
    total: gate.total,
    deducted: gate.deducted,
    totalQuantity: ledger.totalQuantity,
    confirmedQuantity: ledger.confirmedQuantity,
    preDeducted: {
      units: explanation.deducted.preDeducted,
      count: ledger.live.filter((hold) => hold.recorded).length,
    },
    drift: explanation.rows,
  };
  return { kind: 'explained' as const, at, source: 'now' as const, ...gateRows(figure, look) };
}
