/**
 * The demo provider's notices. What decides who and what it is about must be well-formed; the amount need not be
 * (notice.ts).
 */
import { z } from 'zod';
import { UUID_PATTERN } from '../../../domain/index.ts';
import { amountOrNull, currencyOrNull, type Notice, type NoticeKind, parseJson, showable } from '../notice.ts';

const KINDS = {
  'payment.created': 'CREATED',
  'payment.processing': 'PROCESSING',
  'payment.succeeded': 'SUCCEEDED',
  'payment.failed': 'FAILED',
  'payment.refunded': 'REFUNDED',
} as const satisfies Record<string, NoticeKind>;

const visible = z.string().regex(/^[\x21-\x7e]{1,180}$/);

const noticeBody = z.object({
  id: visible,
  type: z.enum(Object.keys(KINDS) as (keyof typeof KINDS)[]),
  intentId: visible,
  chargeId: visible.optional(),
  attempt: z.number().int().min(1).max(1_000_000),
  amountMinor: z.unknown(),
  currency: z.unknown(),
  createdAt: z.iso.datetime({ offset: true }),
});
/** What the provider sends; its reader is lenient about the amount. */
export type DemoNoticeBody = z.infer<typeof noticeBody>;

export function readDemoNotice(rawBody: Buffer): Notice | undefined {
  const body = noticeBody.safeParse(parseJson(rawBody));
  if (!body.success) return undefined;
  const { id, type, intentId, chargeId, attempt, amountMinor, currency, createdAt } = body.data;
  return {
    eventId: id,
    kind: KINDS[type],
    intentRef: intentId,
    intentId: UUID_PATTERN.test(intentId) ? intentId : null,
    chargeRef: chargeId ?? null,
    attempt,
    amountMinor: amountOrNull(amountMinor),
    currency: currencyOrNull(currency),
    payload: {
      id,
      type,
      intentId,
      ...(chargeId !== undefined && { chargeId }),
      attempt,
      amountMinor: showable(amountMinor),
      currency: showable(currency),
      createdAt,
    },
  };
}
