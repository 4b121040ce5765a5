/**
 * Money is an integer in the currency's minor unit (cents for EUR, yen for JPY, fils for KWD), so no rounding
 * ever decides whether an order is paid (C53).
 */
import { InvalidValue } from './ids.ts';

declare const minor: unique symbol;
export type Minor = number & { readonly [minor]: true };

const DIGITS: Record<string, number> = { EUR: 2, USD: 2, GBP: 2, CNY: 2, JPY: 0, KWD: 3 };
/** Largest amount of one trade: far below 2^53 and below any provider's own limit. */
export const MAX_MINOR = 999_999_999_999;

/** Checks a whole amount in minor units, 0 to MAX_MINOR. */
export function minorUnits(amount: number): Minor {
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > MAX_MINOR)
    throw new InvalidValue(`an amount must be a whole number of minor units from 0 to ${MAX_MINOR}`);
  return amount as Minor;
}

/** Reads a plain decimal such as "19.99" without a float on the way; too many digits are refused. */
export function parseMoney(text: string, currency: string): Minor {
  const digits = minorDigits(currency);
  const match = /^(\d{1,10})(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > digits) throw new InvalidValue(`"${text}" is not an amount in ${currency}`);
  return minorUnits(Number(`${match[1]}${fraction.padEnd(digits, '0')}`));
}

/** Unit price times quantity, exact or refused. */
export function times(price: Minor, units: number): Minor {
  return minorUnits(price * units);
}

export function sum(amounts: readonly Minor[]): Minor {
  return minorUnits(amounts.reduce<number>((total, amount) => total + amount, 0));
}

export function minorDigits(currency: string): number {
  const digits = DIGITS[currency];
  if (digits === undefined) throw new InvalidValue(`unknown currency ${currency}`);
  return digits;
}

/** "19.99 EUR" in plain digits, for logs and tests; screens format by locale. */
export function plainMoney(amount: Minor, currency: string): string {
  const digits = minorDigits(currency);
  const text = String(amount).padStart(digits + 1, '0');
  return `${digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text} ${currency}`;
}

/**
 * Splits an amount over parts in proportion to them, to the last minor unit: rounded down, and the units that are left
 * go one each to the parts that lost most by that. No part gets more than itself while the amount is at most their sum.
 */
export function splitByShare(amount: Minor, parts: readonly Minor[]): Minor[] {
  const whole = BigInt(sum(parts));
  if (amount > whole) throw new InvalidValue('an amount is split over at least as much');
  if (whole === 0n) return parts.map(() => minorUnits(0));
  const exact = parts.map((part, index) => {
    const product = BigInt(amount) * BigInt(part);
    return { index, units: Number(product / whole), rest: product % whole };
  });
  const left = amount - exact.reduce((units, part) => units + part.units, 0);
  const first = new Set(
    exact
      .toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
      .slice(0, left)
      .map(({ index }) => index),
  );
  return exact.map(({ index, units }) => minorUnits(units + (first.has(index) ? 1 : 0)));
}
