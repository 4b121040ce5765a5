/** The page that explains a figure of one SKU, now or at a past instant. */
export const FIGURE_WORDS = {
  total: { name: 'T', book: 'gate' },
  deducted: { name: 'D', book: 'gate' },
  free: { name: 'free', book: 'gate' },
  inFlight: { name: 'in flight', book: 'between' },
  drift: { name: 'unexplained', book: 'between' },
  ledgerDeducted: { name: 'D', book: 'ledger' },
  ledgerTotal: { name: 'T', book: 'ledger' },
  totalQuantity: { name: 'on hand', book: 'ledger' },
  reservedQuantity: { name: 'held', book: 'ledger' },
  confirmedQuantity: { name: 'confirmed', book: 'ledger' },
} as const;

export type FigureName = keyof typeof FIGURE_WORDS;
export const FIGURE_NAMES = Object.keys(FIGURE_WORDS) as readonly FigureName[];

export interface ExplainAddress {
  readonly shopId: string;
  readonly skuId: string;
  readonly figure: FigureName;
  readonly at?: Date | undefined;
  /** The row whose own rows are shown. */
  readonly row?: string | undefined;
}

export function explainAddress({ shopId, skuId, figure, at, row }: ExplainAddress): string {
  const query = new URLSearchParams({
    figure,
    ...(at && { at: at.toISOString() }),
    ...(row && { row }),
  });
  return `/ops/explain/${encodeURIComponent(shopId)}/${encodeURIComponent(skuId)}?${query}`;
}

/** An unknown figure is D of the gate, a time that is none is now. */
export function readExplain(given: { get(name: string): string | null }) {
  const figure = FIGURE_NAMES.find((one) => one === given.get('figure')) ?? 'deducted';
  const at = new Date(given.get('at') ?? '');
  return { figure, at: Number.isNaN(at.getTime()) ? undefined : at, row: given.get('row') ?? undefined };
}
