/**
 * Every kind of incident: one sentence for the person who reads it, the runbook in docs/runbooks that says what is safe
 * to do, and who closes it. Most close by themselves when their cause is gone (`itself`): closing one by hand would only
 * hide it. `hand`: nothing in the product can see that it is dealt with. `hand-without-amount`: money that closes by itself
 * unless its notice does not say how much it was.
 */
export const INCIDENT_KINDS = {
  OVER_ADMITTED: {
    sentence:
      'The gate admitted units that the ledger does not have; the order was refused before any money was taken.',
    runbook: 'over-admitted.md',
    closes: 'hand',
  },
  CONFIRM_CONFLICT: {
    sentence: 'A paid order found some of its units already ended; none of it was confirmed and the money is due back.',
    runbook: 'confirm-conflict.md',
    closes: 'itself',
  },
  CONFIRM_WITHOUT_ROW: {
    sentence: 'A payment is to be confirmed for a reservation that the ledger has never recorded.',
    runbook: 'confirm-without-row.md',
    closes: 'hand',
  },
  LATE_MONEY: {
    sentence: 'Money arrived for an order that was already closed.',
    runbook: 'late-money.md',
    closes: 'itself',
  },
  SECOND_PAYMENT: {
    sentence: 'A second payment succeeded for an order that already has its money.',
    runbook: 'second-payment.md',
    closes: 'itself',
  },
  UNMATCHED_PAYMENT: {
    sentence: 'The provider reports a payment for an order that is not known here.',
    runbook: 'unmatched-payment.md',
    closes: 'hand-without-amount',
  },
  AMOUNT_MISMATCH: {
    sentence: 'A payment succeeded with another amount or currency than the order has.',
    runbook: 'amount-mismatch.md',
    closes: 'hand-without-amount',
  },
  PAYMENT_NOT_JUDGED: {
    sentence: 'A payment notice is stored and cannot be judged: each try fails, and its order waits for it.',
    runbook: 'payment-not-judged.md',
    closes: 'itself',
  },
  REFUND_NOT_DONE: {
    sentence: 'A refund was refused by the payment provider, or has had no answer for a while; it is sent again.',
    runbook: 'refund-not-done.md',
    closes: 'itself',
  },
  PAYMENT_DIFFERS: {
    sentence: 'The provider and the shop do not agree about the money of a payment.',
    runbook: 'payment-differs.md',
    closes: 'itself',
  },
  RELEASE_OF_CONFIRMED: {
    sentence: 'A release was asked for units that are already sold; it was refused.',
    runbook: 'release-of-confirmed.md',
    closes: 'hand',
  },
  DEAD_LETTER: {
    sentence: 'A message could not be handled after all its tries and waits for a decision.',
    runbook: 'dead-letter.md',
    closes: 'itself',
  },
  OUTBOX_PARKED: {
    sentence: 'An event cannot be sent; it and the later ones of its key are parked and wait for a decision.',
    runbook: 'outbox-parked.md',
    closes: 'itself',
  },
  ORDER_STUCK: {
    sentence:
      'An order has stood for too long in a state that should pass within seconds, and nothing on its way explains it.',
    runbook: 'order-stuck.md',
    closes: 'itself',
  },
  ORDER_WITHOUT_EVENTS: {
    sentence: 'An order is there without the events of its transaction, so nobody was told of it.',
    runbook: 'order-without-events.md',
    closes: 'itself',
  },
  GHOST_HOLD_UNPROVEN: {
    sentence: 'A hold at the gate is older than 30 minutes and nothing proves whether an order stands behind it.',
    runbook: 'ghost-hold-unproven.md',
    closes: 'itself',
  },
  GATE_CLOSED: {
    sentence: 'The gate has been closed for more than a minute, and every try to open it has failed.',
    runbook: 'gate-closed.md',
    closes: 'itself',
  },
  UNEXPLAINED_DRIFT: {
    sentence: 'Gate and ledger differ, and nothing in flight explains it, in two reconcile runs in a row.',
    runbook: 'unexplained-drift.md',
    closes: 'itself',
  },
} as const satisfies Record<
  string,
  { sentence: string; runbook: string; closes: 'itself' | 'hand' | 'hand-without-amount' }
>;

export type IncidentKind = keyof typeof INCIDENT_KINDS;

/** @param amountUnknown the notice that it is about does not say how much money came */
export function mayCloseByHand(kind: string, amountUnknown: boolean): boolean {
  if (!isIncidentKind(kind)) return true;
  const { closes } = INCIDENT_KINDS[kind];
  return closes === 'hand' || (closes === 'hand-without-amount' && amountUnknown);
}

export function isIncidentKind(kind: string): kind is IncidentKind {
  return Object.hasOwn(INCIDENT_KINDS, kind);
}
