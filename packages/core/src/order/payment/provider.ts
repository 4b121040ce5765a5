/**
 * The payment provider as the shop sees it. Two implementations: the demo provider, and a real one that is
 * configured later. Its answers come back as signed notices (receive-notice.ts), never as return values.
 */
export interface PaymentProvider {
  readonly name: string;
  /** Where the buyer pays this intent; the same for every attempt. */
  payUrl(intent: { readonly intentId: string }): string;
  /** Sends money back. The refund id is the provider's idempotency key: sent twice, it is one refund. */
  refund(order: RefundCall): Promise<RefundAnswer>;
}

export interface RefundCall {
  readonly refundId: string;
  readonly intentRef: string;
  readonly amountMinor: number;
  readonly currency: string;
}
export type RefundAnswer =
  | { readonly kind: 'accepted' | 'succeeded'; readonly providerRef: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown' };
