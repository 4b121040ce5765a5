/** The figures of one SKU that the console shows and can explain, as data. */
export const FIGURES = {
  total: { book: 'gate', sentence: 'units the gate may hand out over its whole life' },
  deducted: { book: 'gate', sentence: 'units the gate has handed out' },
  free: { book: 'gate', sentence: 'units a buyer may still take' },
  inFlight: { book: 'gate', sentence: 'gate minus ledger, as far as something on its way names it' },
  drift: { book: 'gate', sentence: 'gate minus ledger that nothing explains' },
  ledgerTotal: { book: 'ledger', sentence: 'units ever received, by the ledger' },
  ledgerDeducted: { book: 'ledger', sentence: 'units ever taken or held by orders, by the ledger' },
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
