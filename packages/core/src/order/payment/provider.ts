/**
 * The payment provider as the shop sees it. Two implementations, demo/ and stripe/, pass one behaviour suite
 * (provider-behaviour.testing.ts). Money that came is told by signed notices (receive-notice.ts), never by a return
 * value; calls answer what is known of them, and a lost answer is "unknown", never "no" (P15).
 */
import type { Notice } from './notice.ts';

/** One intent of ours, as far as the provider needs to know it. */
export interface OpenIntent {
  readonly intentId: string;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly currency: string;
  /** ISO 8601. */
  readonly payUntil: string;
  /** The provider's own name of it, once it is known. */
  readonly providerRef: string | null;
}

export type OpenOutcome =
  | { readonly kind: 'opened'; readonly intentRef: string; readonly payUrl: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' };

export interface RefundOrder {
  /** The provider's idempotency key: the same id never pays back twice. */
  readonly refundId: string;
  readonly intentRef: string;
  readonly amountMinor: number;
  readonly currency: string;
}

export type RefundOutcome =
  /** `accepted`: the provider has it and will tell later how it ended (readRefund). */
  | { readonly kind: 'accepted' | 'succeeded'; readonly providerRef: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' };

export type RefundReading = { readonly kind: 'accepted' | 'succeeded' | 'refused' | 'not-found' | 'unknown' };

/** Money that the provider took. */
export interface ChargeSeen {
  readonly chargeRef: string;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly currency: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

export type IntentReading =
  | {
      readonly kind: 'read';
      readonly status: 'OPEN' | 'PROCESSING' | 'SUCCEEDED' | 'CLOSED';
      readonly amountMinor: number;
      readonly currency: string;
      readonly receivedMinor: number;
      readonly refundedMinor: number;
      /** The successful ones only. */
      readonly charges: readonly ChargeSeen[];
    }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'unknown' };

export interface PaymentProvider {
  readonly name: 'demo' | 'stripe';
  /** The header that carries a notice's signature, in the scheme of notice-signature.ts. */
  readonly signatureHeader: string;
  /** Reads the body of a verified notice; `ignored` is a notice about something else than a payment. */
  readNotice(rawBody: Buffer): Notice | 'ignored' | undefined;
  /** Makes the intent known, with its present attempt and deadline. Repeating it changes nothing (P40 moves the deadline so). */
  openIntent(intent: OpenIntent): Promise<OpenOutcome>;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  readRefund(refund: { readonly providerRef: string }): Promise<RefundReading>;
  readIntent(intentRef: string): Promise<IntentReading>;
}
