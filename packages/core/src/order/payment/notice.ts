/** A notice of a provider, in the shop's own words, whoever sent it. */
import { MAX_MINOR } from '../../domain/index.ts';

export type NoticeKind = 'CREATED' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'REFUNDED';

export interface Notice {
  readonly eventId: string;
  readonly kind: NoticeKind;
  /** The provider's own name of the intent. */
  readonly intentRef: string;
  /** The intent of ours that it names, when what it names has the form of one. */
  readonly intentId: string | null;
  /** The movement of money it tells of: two notices of one charge are one payment. */
  readonly chargeRef: string | null;
  readonly attempt: number;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  /** As it was sent, cut to what the database can hold, for people. */
  readonly payload: Record<string, string | number | boolean | null>;
}

/**
 * The amount need not be well-formed: money was moved by somebody, so a notice with a text, a fraction or a negative
 * number as amount is kept with no amount at all, and judged as "amount differs" (C53).
 */
export function amountOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_MINOR ? value : null;
}

export function currencyOrNull(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : null;
}

export function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

export function showable(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // jsonb holds neither a NUL nor half a surrogate pair.
  return text.slice(0, 200).replaceAll('\0', '\ufffd').toWellFormed();
}
