/** The ledger's figures as rows that add up. Pure. */
import { addUp, type FigureRow, row, type Sum } from './add-up.ts';
import type { LedgerFigure } from './figures.ts';
import type { LedgerSums } from './ledger-sums.ts';
import type { Tally } from './sum-movements.ts';

export function ledgerRows(figure: LedgerFigure, sums: LedgerSums): Sum {
  const { upTo, ever, counters } = sums;
  const taken = (of: LedgerSums['upTo']) => -(of.CONFIRM.units + of.SHRINK.units);
  const cameIn = (of: LedgerSums['upTo']) => of.RECEIPT.units + of.RESTOCK.units;
  // What a counter has today beyond its rows, it had then as well: nothing else is stored of the past.
  const confirmed = taken(upTo) + (counters.confirmed - taken(ever));
  const onHand = cameIn(upTo) - taken(upTo) + (counters.total - (cameIn(ever) - taken(ever)));
  const reserved = sums.reserved.units + (counters.reserved - sums.reservedToday.units);
  switch (figure) {
    case 'totalQuantity':
      return addUp(onHand, [...incoming(sums), ...outgoing(sums, 1)]);
    case 'confirmedQuantity':
      return addUp(confirmed, outgoing(sums, -1));
    case 'reservedQuantity':
      return addUp(reserved, [reservedRow(sums.reserved)]);
    case 'ledgerTotal':
      return addUp(onHand + confirmed, incoming(sums));
    case 'ledgerDeducted':
      return addUp(confirmed + sums.reserved.units + sums.onItsWay.units, [
        ...outgoing(sums, -1),
        reservedRow(sums.reserved),
        row('ON_ITS_WAY', 'ordered; the ledger row is still on its way', sums.onItsWay.units, {
          count: sums.onItsWay.count,
          leadsTo: { list: 'onItsWay' },
        }),
      ]);
  }
}

export function reservedRow({ count, units }: Tally): FigureRow {
  return row('RESERVED', 'recorded orders that are not paid yet', units, { count, leadsTo: { list: 'reserved' } });
}

function incoming({ upTo: { RECEIPT, RESTOCK } }: LedgerSums): FigureRow[] {
  return [
    row('RECEIVED', 'received, by hand or by import', RECEIPT.units, {
      count: RECEIPT.count,
      leadsTo: { list: 'received' },
    }),
    row('RESTOCKED', 'came back and were put on the shelf again', RESTOCK.units, {
      count: RESTOCK.count,
      leadsTo: { list: 'restocked' },
    }),
  ];
}

/** @param sign 1: as the movements have it, negative. -1: counted as taken. */
function outgoing({ upTo: { CONFIRM, SHRINK } }: LedgerSums, sign: 1 | -1): FigureRow[] {
  // No negative zero.
  const signed = (units: number) => sign * units || 0;
  return [
    row('SOLD', 'sold: paid and confirmed', signed(CONFIRM.units), { count: CONFIRM.count, leadsTo: { list: 'sold' } }),
    row('WRITTEN_OFF', 'written off', signed(SHRINK.units), { count: SHRINK.count, leadsTo: { list: 'writtenOff' } }),
  ];
}
