/** An amount in minor units, by the shop's currency; figures line up. */
const DIGITS: Record<string, number> = { JPY: 0, KWD: 3 };

export function formatMoney(minor: number, currency: string): string {
  const digits = DIGITS[currency] ?? 2;
  return new Intl.NumberFormat('en-IE', { style: 'currency', currency, minimumFractionDigits: digits }).format(
    minor / 10 ** digits,
  );
}

export function Money({ minor, currency, className = '' }: { minor: number; currency: string; className?: string }) {
  return <span className={`figures ${className}`}>{formatMoney(minor, currency)}</span>;
}
