/**
 * What the units of a line are worth, to the cent (P31, C53). The money paid for a line is split over its units; the
 * cents that do not divide go to the last unit. Pure, whole minor units only.
 */
export interface LineMoney {
  readonly sold: number;
  readonly returned: number;
  readonly paidMinor: number;
  /** Asked back so far, whatever for. */
  readonly refundedMinor: number;
}

/** Worth of the first `units` units of the line. */
export function worthOf({ sold, paidMinor }: Pick<LineMoney, 'sold' | 'paidMinor'>, units: number): number {
  return units >= sold ? paidMinor : Math.floor(paidMinor / sold) * units;
}

/** What returning `quantity` more units pays: their worth, less what was given back for the line beyond its returns. */
export function dueFor(line: LineMoney, quantity: number): number {
  return Math.max(0, worthOf(line, line.returned + quantity) - line.refundedMinor);
}

export function moneyLeft(line: LineMoney): number {
  return line.paidMinor - line.refundedMinor;
}
