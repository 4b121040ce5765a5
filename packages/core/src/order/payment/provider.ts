/**
 * The payment provider as the shop sees it. Two implementations: the demo provider, and a real one that is
 * configured later. Its answers come back as signed notices (receive-notice.ts), never as return values.
 */
export interface PaymentProvider {
  readonly name: string;
  /** Where the buyer pays this intent; the same for every attempt. */
  payUrl(intent: { readonly intentId: string }): string;
}
