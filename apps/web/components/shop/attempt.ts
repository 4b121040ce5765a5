/**
 * One idempotency key per attempt to buy (P22). It is kept for as long as the same order is asked for, so a
 * double click, a reload or the Back button make one order; a changed order, or one whose trade has ended, is
 * a new attempt.
 */
const PLACE = 'holdfast.attempt';
const TRADE_PLACE = 'holdfast.attempt.trade';
/** Between key and body in the stored text; no key contains it. */
const MARK = '\n';

interface Attempt {
  readonly key: string;
  readonly body: string;
  readonly tradeId: string | null;
}

function read(): Attempt | undefined {
  const [key = '', body] = sessionStorage.getItem(PLACE)?.split(MARK) ?? [];
  return body === undefined ? undefined : { key, body, tradeId: sessionStorage.getItem(TRADE_PLACE) };
}

/** `randomUUID` exists on https and localhost only; a demo may be opened by a plain address. */
export function mintKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param openTradeId the unpaid order of this cart, as the server says; another one in memory has ended */
export function attemptKey(order: unknown, openTradeId: string | undefined): string {
  const body = JSON.stringify(order);
  const known = read();
  if (known?.body === body && (known.tradeId === null || known.tradeId === openTradeId)) return known.key;
  const key = mintKey();
  sessionStorage.setItem(PLACE, `${key}${MARK}${body}`);
  sessionStorage.removeItem(TRADE_PLACE);
  return key;
}

export function noteTrade(tradeId: string): void {
  sessionStorage.setItem(TRADE_PLACE, tradeId);
}
