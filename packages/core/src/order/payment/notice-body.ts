/**
 * Reads the body of a verified notice. What decides who and what it is about must be well-formed. The amount
 * need not be: money was moved by somebody, so a notice with a text, a fraction or a negative number as amount
 * is kept with no amount at all, and judged as "amount differs" (C53).
 */
import { z } from 'zod';
import { MAX_MINOR, UUID_PATTERN } from '../../domain/index.ts';

export type NoticeKind = 'CREATED' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED';

const KINDS = {
  'payment.created': 'CREATED',
  'payment.processing': 'PROCESSING',
  'payment.succeeded': 'SUCCEEDED',
  'payment.failed': 'FAILED',
} as const satisfies Record<string, NoticeKind>;

const visible = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/** What the provider sends; strict senders use this type, readers are lenient about the amount. */
export const noticeBody = z.object({
  id: visible,
  type: z.enum(Object.keys(KINDS) as (keyof typeof KINDS)[]),
  intentId: visible,
  attempt: z.number().int().min(1).max(1_000_000),
  amountMinor: z.unknown(),
  currency: z.unknown(),
  createdAt: z.iso.datetime({ offset: true }),
});

export interface Notice {
  readonly eventId: string;
  readonly kind: NoticeKind;
  readonly intentRef: string;
  /** The reference, when it has the form of one of our intent ids. */
  readonly intentId: string | null;
  readonly attempt: number;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  /** As it was sent, cut to what the database can hold, for people. */
  readonly payload: Record<string, string | number | boolean | null>;
}

export function parseNotice(rawBody: Buffer): Notice | undefined {
  const body = noticeBody.safeParse(parseJson(rawBody));
  if (!body.success) return undefined;
  const { id, type, intentId, attempt, amountMinor, currency, createdAt } = body.data;
  return {
    eventId: id,
    kind: KINDS[type],
    intentRef: intentId,
    intentId: UUID_PATTERN.test(intentId) ? intentId : null,
    attempt,
    amountMinor: isAmount(amountMinor) ? amountMinor : null,
    currency: typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : null,
    payload: {
      id,
      type,
      intentId,
      attempt,
      amountMinor: showable(amountMinor),
      currency: showable(currency),
      createdAt,
    },
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_MINOR;
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function showable(value: unknown): string | number | boolean | null {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // jsonb holds neither a NUL nor half a surrogate pair.
  return text.slice(0, 200).replaceAll('\0', '\ufffd').toWellFormed();
}
