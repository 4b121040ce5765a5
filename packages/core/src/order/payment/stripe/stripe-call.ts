/**
 * One call of Stripe's HTTP API: form in, JSON out. What is known of it follows P15: an error of the request is an
 * answer; a conflict, a limit, an error on their side and a lost reply are none, and the same idempotency key may be
 * sent again.
 */
import { z } from 'zod';

export interface StripeOptions {
  /** https://api.stripe.com, or where a test listens. */
  readonly apiUrl: string;
  readonly secretKey: string;
  /** The page with Stripe's own payment form; it gets the intent and its client secret as query parameters. */
  readonly payPageUrl: string;
  readonly callLimitMs?: number;
}

export interface StripeCall {
  readonly path: string;
  /** Present: POST. */
  readonly form?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
}

export type StripeAnswer =
  | { readonly kind: 'ok'; readonly body: unknown }
  | { readonly kind: 'error'; readonly status: number; readonly message: string }
  | { readonly kind: 'unknown' };

const API_VERSION = '2024-06-20';
const CALL_LIMIT_MS = 4000;
const errorBody = z.object({ error: z.object({ message: z.string().optional(), code: z.string().optional() }) });

export async function callStripe(options: StripeOptions, call: StripeCall): Promise<StripeAnswer> {
  try {
    const response = await fetch(new URL(call.path, options.apiUrl), {
      method: call.form ? 'POST' : 'GET',
      signal: AbortSignal.timeout(options.callLimitMs ?? CALL_LIMIT_MS),
      headers: {
        authorization: `Bearer ${options.secretKey}`,
        'stripe-version': API_VERSION,
        ...(call.idempotencyKey !== undefined && { 'idempotency-key': call.idempotencyKey }),
      },
      ...(call.form && { body: new URLSearchParams(call.form) }),
    });
    const body: unknown = await response.json();
    if (response.ok) return { kind: 'ok', body };
    if (response.status >= 500 || response.status === 409 || response.status === 429) return { kind: 'unknown' };
    return { kind: 'error', status: response.status, message: messageOf(body) };
  } catch (error) {
    // No connection, no answer in time, or an answer that is no JSON.
    if (error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)
      return { kind: 'unknown' };
    throw error;
  }
}

function messageOf(body: unknown): string {
  const parsed = errorBody.safeParse(body);
  return parsed.data?.error.message ?? parsed.data?.error.code ?? 'refused without a reason';
}
