import { describe, expect, it } from 'vitest';
import { mayChange, orderWords, shownStatus } from './order-state.ts';

const payment = { intentId: 'i', status: 'FAILED', attempt: 1 } as const;

describe('order page', () => {
  it('says after a declined payment that the items are still held', () => {
    expect(orderWords({ status: 'UNPAID', closeReason: null, payment }).text).toContain('still held');
  });

  it('says for every end without payment that nothing was charged', () => {
    for (const closeReason of ['BUYER_CANCELLED', 'OPERATOR_CANCELLED', 'TIMED_OUT', 'OVER_ADMITTED'] as const)
      expect(orderWords({ status: 'CLOSED', closeReason, payment }).text).toContain('Nothing was charged');
  });

  it('never says that nothing was charged when a payment came after the end', () => {
    const late = {
      eventId: 'e',
      cause: 'LATE',
      status: 'OPEN',
      amountMinor: 1,
      currency: 'EUR',
      refundId: null,
    } as const;
    for (const status of ['EXPIRED', 'CLOSED'] as const) {
      const { text } = orderWords({ status, closeReason: 'TIMED_OUT', latePayments: [late] });
      expect(text).not.toContain('Nothing was charged');
      expect(text).toContain('your payment');
    }
  });

  it('says the same of an order whose time ran out before and after a job has closed it, on its page and in the list', () => {
    const before = { status: 'EXPIRED', closeReason: null } as const;
    const after = { status: 'CLOSED', closeReason: 'TIMED_OUT' } as const;
    expect(orderWords(after)).toEqual(orderWords({ ...before, payment }));
    expect(orderWords(after).word).toBe('Time is over');
    expect(shownStatus(after)).toBe(shownStatus(before));
  });

  it('keeps asking while a line of a closed order is still on its way back', () => {
    const line = {
      skuId: 's',
      name: 'n',
      quantity: 1,
      unitPriceMinor: 1,
      reservationId: 'r',
      reservationStatus: 'PRE_DEDUCTED',
    } as const;
    const order = {
      id: 't',
      status: 'CLOSED',
      closeReason: 'BUYER_CANCELLED',
      currency: 'EUR',
      totalMinor: 1,
      createdAt: new Date(0),
      payUntil: new Date(0),
      serverNow: new Date(0),
      buyerId: 'b',
      email: null,
      shipTo: null,
      paidAt: null,
      closedAt: null,
      extended: false,
      payment,
      latePayments: [],
    } as const;
    const shopOrder = { id: 'o', shopId: 'x', shopName: 'x', status: 'RELEASING', subtotalMinor: 1 } as const;
    expect(mayChange({ ...order, shopOrders: [{ ...shopOrder, lines: [line] }] })).toBe(true);
    expect(
      mayChange({ ...order, shopOrders: [{ ...shopOrder, lines: [{ ...line, reservationStatus: 'RELEASED' }] }] }),
    ).toBe(false);
  });
});
