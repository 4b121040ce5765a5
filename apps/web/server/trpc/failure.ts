/** Refusals on the wire: one complete switch from the closed list to tRPC codes, and one shape for callers. */
import { FAILURES, type Failure, type FailureCode, isRefused } from '@holdfast/core/domain';
import { TRPCError } from '@trpc/server';
import type { TRPC_ERROR_CODE_KEY } from '@trpc/server/rpc';
import { z } from 'zod';

/** Carries a refusal of core to the error formatter. */
export class Refused extends TRPCError {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super({ code: trpcCodeOf(failure.code), message: failure.message });
    this.failure = failure;
  }
}

export function trpcCodeOf(code: FailureCode): TRPC_ERROR_CODE_KEY {
  switch (code) {
    case 'SOLD_OUT':
    case 'OPEN_ORDER':
    case 'PRICE_CHANGED':
    case 'ALREADY_PAID':
    case 'ALREADY_CLOSED':
    case 'PAYMENT_EXPIRED':
    case 'EXTENSION_USED':
    case 'WRONG_STATE':
    case 'LINE_STATE':
    case 'REFUND_EXCEEDED':
    case 'BELOW_HELD':
    case 'STALE_VERSION':
    case 'PROMOTION_PENDING':
      return 'CONFLICT';
    case 'LIMIT_EXCEEDED':
    case 'IDEMPOTENCY_MISMATCH':
    case 'AMOUNT_MISMATCH':
    case 'COUPON_REFUSED':
      return 'UNPROCESSABLE_CONTENT';
    case 'INVALID_INPUT':
      return 'BAD_REQUEST';
    case 'UNKNOWN_SKU':
    case 'NOT_FOUND':
      return 'NOT_FOUND';
    case 'GATE_CLOSED':
    case 'BUSY':
      return 'SERVICE_UNAVAILABLE';
    case 'OUTCOME_UNKNOWN':
      return 'GATEWAY_TIMEOUT';
    case 'PROVIDER_AWAY':
      return 'BAD_GATEWAY';
    case 'FORBIDDEN':
      return 'FORBIDDEN';
    case 'UNAUTHENTICATED':
      return 'UNAUTHORIZED';
  }
}

/** Passes an answer on, throws a refusal. */
export function orRefuse<T extends { kind: string }>(answer: T): Exclude<T, Failure> {
  if (isRefused(answer)) throw new Refused(answer);
  return answer as Exclude<T, Failure>;
}

/** What every error tells its caller. */
export interface ErrorDetail {
  code: FailureCode | 'INTERNAL';
  /** The same request may be sent again as it is. */
  retryable: boolean;
  lines?: Failure['lines'];
  tradeId?: string;
  retryAfterMs?: number;
  field?: string;
}

const SENTENCE_OF_INTERNAL = 'Something went wrong on our side. Nothing was lost; please try again.';

function detailOf(code: ErrorDetail['code']): ErrorDetail {
  return { code, retryable: false };
}

export function describeError(error: TRPCError): { message: string; detail: ErrorDetail } {
  if (error instanceof Refused) {
    const { code, lines, tradeId, retryAfterMs, field, message } = error.failure;
    return {
      message,
      detail: {
        code,
        retryable: FAILURES[code].retryable,
        ...(lines && { lines }),
        ...(tradeId && { tradeId }),
        ...(retryAfterMs && { retryAfterMs }),
        ...(field && { field }),
      },
    };
  }
  if (error.cause instanceof z.ZodError) {
    const issue = error.cause.issues[0];
    const field = issue?.path.join('.') ?? '';
    return {
      message: field ? `${field}: ${issue?.message}` : (issue?.message ?? 'invalid input'),
      detail: { ...detailOf('INVALID_INPUT'), ...(field && { field }) },
    };
  }
  switch (error.code) {
    case 'INTERNAL_SERVER_ERROR':
      return { message: SENTENCE_OF_INTERNAL, detail: detailOf('INTERNAL') };
    case 'NOT_FOUND':
      return { message: 'There is nothing here.', detail: detailOf('NOT_FOUND') };
    case 'UNAUTHORIZED':
      return { message: error.message, detail: detailOf('UNAUTHENTICATED') };
    case 'FORBIDDEN':
      return { message: error.message, detail: detailOf('FORBIDDEN') };
    case 'PAYLOAD_TOO_LARGE':
      return { message: 'The request is larger than 64 KB.', detail: detailOf('INVALID_INPUT') };
    case 'PARSE_ERROR':
    case 'BAD_REQUEST':
      // What the parser found is for nobody outside.
      return { message: 'The request cannot be read.', detail: detailOf('INVALID_INPUT') };
    default:
      return { message: error.message, detail: detailOf('INVALID_INPUT') };
  }
}
