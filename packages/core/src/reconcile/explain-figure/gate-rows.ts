/** The gate's figures as rows that add up: what the ledger says, and each difference by its name. Pure. */
import { freeUnits } from '../../domain/index.ts';
import { DRIFT_CAUSES, type DriftCause } from '../causes.ts';
import type { DriftRow } from '../explain.ts';
import { addUp, type FigureRow, row, type Sum } from './add-up.ts';
import type { GateFigure } from './figures.ts';
import { reservedRow } from './ledger-rows.ts';
import type { RowList } from './list-rows.ts';

/** One look at both books, of now or of the log. */
export interface GateLook {
  readonly total: number;
  readonly deducted: number;
  readonly totalQuantity: number;
  readonly confirmedQuantity: number;
  /** Recorded and not paid; the count is not in the log. */
  readonly preDeducted: { readonly units: number; readonly count: number | null };
  readonly drift: readonly DriftRow[];
}

const LISTS: Partial<Record<DriftCause, RowList>> = {
  NOT_RECORDED: 'onItsWay',
  GIVE_BACK_PENDING: 'pendingEffects',
  SETTLE_PENDING: 'pendingEffects',
  RAISE_PENDING: 'pendingEffects',
  RELOAD_PENDING: 'pendingEffects',
};

export function gateRows(figure: GateFigure, look: GateLook): Sum {
  const { total, deducted, drift } = look;
  const confirmed = row('CONFIRMED', 'ever taken out, by the ledger', look.confirmedQuantity, {
    leadsTo: { figure: 'confirmedQuantity' },
  });
  switch (figure) {
    case 'total':
      return addUp(total, [
        row('ON_HAND', 'on hand and unsold, by the ledger', look.totalQuantity, {
          leadsTo: { figure: 'totalQuantity' },
        }),
        confirmed,
        ...rowsOf(drift.filter((r) => r.figure === 'capacity')),
      ]);
    case 'deducted':
      return addUp(deducted, [
        confirmed,
        { ...reservedRow({ units: look.preDeducted.units, count: 0 }), count: look.preDeducted.count },
        ...rowsOf(drift.filter((r) => r.figure === 'deducted')),
      ]);
    case 'free':
      return addUp(freeUnits(total, deducted), [
        row('TOTAL', 'T: units the gate may hand out', total, { leadsTo: { figure: 'total' } }),
        row('DEDUCTED', 'D: units it has handed out', -deducted || 0, { leadsTo: { figure: 'deducted' } }),
        ...(deducted > total
          ? [
              row(
                'OVER_ADMITTED',
                'handed out beyond T; the ledger refuses them, and nothing is free',
                deducted - total,
              ),
            ]
          : []),
      ]);
    case 'inFlight':
    case 'drift': {
      const rows = drift.filter((r) => DRIFT_CAUSES[r.cause].explained === (figure === 'inFlight'));
      return addUp(
        rows.reduce((sum, r) => sum + r.units, 0),
        rowsOf(rows),
      );
    }
  }
}

function rowsOf(drift: readonly DriftRow[]): FigureRow[] {
  return drift.map(({ cause, units, holds, sample }) => {
    const list = LISTS[cause];
    const leadsTo = list ? { list } : null;
    return row(cause, DRIFT_CAUSES[cause].sentence, units, { count: holds, sample, leadsTo });
  });
}
