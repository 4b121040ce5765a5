/** The figures of one SKU that the console shows and can explain, as data. */
export const FIGURES = {
  total: { book: 'gate', sentence: 'T at the gate: units it may hand out over its whole life' },
  deducted: { book: 'gate', sentence: 'D at the gate: units it has handed out' },
  free: { book: 'gate', sentence: 'units a buyer may still take' },
  inFlight: { book: 'gate', sentence: 'gate minus ledger, as far as something on its way names it' },
  drift: { book: 'gate', sentence: 'gate minus ledger that nothing explains' },
  ledgerTotal: { book: 'ledger', sentence: 'T by the ledger: on hand and ever taken' },
  ledgerDeducted: { book: 'ledger', sentence: 'D by the ledger: ever taken, and held by orders' },
  totalQuantity: { book: 'ledger', sentence: 'units on hand and unsold' },
  reservedQuantity: { book: 'ledger', sentence: 'units of recorded orders that are not paid yet' },
  confirmedQuantity: { book: 'ledger', sentence: 'units ever taken out, sold or written off' },
} as const satisfies Record<string, { book: 'gate' | 'ledger'; sentence: string }>;

export type Figure = keyof typeof FIGURES;
export type GateFigure = { [F in Figure]: (typeof FIGURES)[F]['book'] extends 'gate' ? F : never }[Figure];
export type LedgerFigure = Exclude<Figure, GateFigure>;
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly Figure[];

export function isGateFigure(figure: Figure): figure is GateFigure {
  return FIGURES[figure].book === 'gate';
}
