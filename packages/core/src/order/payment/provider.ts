/**
 * The payment provider as the shop sees it. Two implementations: the demo provider, and a real one that is
 * configured later. Its answers come back as signed notices (receive-notice.ts), never as return values.
 */
export interface PaymentProvider {
  readonly name: string;
  /** Where the buyer pays this intent; the same for every attempt. */
  payUrl(intent: { readonly intentId: string }): string;
  refund(order: RefundOrder): Promise<RefundOutcome>;
  readRefund(refund: { readonly providerRef: string }): Promise<RefundReading>;
}

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
