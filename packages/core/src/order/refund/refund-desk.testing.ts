/** What the tests after the sale share: paid trades, and a provider that keeps its promise: one refund a key. */
import type { Pool } from '../../platform/index.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { type DeskTrade, openPaymentDesk, type PaymentDesk } from '../payment/payment-desk.testing.ts';
import type { RefundOrder, RefundOutcome, RefundReading } from '../payment/provider.ts';
import { sendRefunds } from './send-refunds.ts';

/** The provider's own books: what it paid back under which key, and the answers it is told to give instead. */
export class TestProvider {
  readonly paidBack = new Map<string, RefundOrder>();
  readonly calls: RefundOrder[] = [];
  readonly readings: RefundReading['kind'][] = [];
  readonly answers: (RefundOutcome | 'lose the reply')[] = [];

  async readRefund({ providerRef }: { providerRef: string }): Promise<RefundReading> {
    const told = this.readings.shift();
    return { kind: told ?? (this.paidBack.has(providerRef.slice(3)) ? 'succeeded' : 'not-found') };
  }

  async refund(call: RefundOrder): Promise<RefundOutcome> {
    this.calls.push(call);
    const told = this.answers.shift();
    if (told !== undefined && told !== 'lose the reply') return told;
    const before = this.paidBack.get(call.refundId);
    if (before && before.amountMinor !== call.amountMinor) throw new Error('one key with two amounts');
    this.paidBack.set(call.refundId, call);
    if (told === 'lose the reply') throw new Error('socket hang up');
    return { kind: 'succeeded', providerRef: `re_${call.refundId}` };
  }
}

export async function openRefundDesk(name: string) {
  const desk = await openPaymentDesk(name);
  const provider = new TestProvider();
  const operator = { name: 'ada', reason: 'the customer changed her mind' };
  return {
    ...desk,
    provider,
    operator,
    /** Paid and CONFIRMED. */
    paid: async (options: Parameters<typeof desk.trade>[0] = {}) => confirm(desk, await desk.trade(options)),
    confirm: (trade: DeskTrade) => confirm(desk, trade),
    /** Sends every refund that is due; what it says stays undelivered. */
    sendOnly: () => sendRefunds({ ...desk.deps, provider }, { limit: 100 }),
    /** Every refund that is due is sent, and what it says is delivered, before and after. */
    async send() {
      await deliverEvents(desk.pool);
      const sent = await sendRefunds({ ...desk.deps, provider }, { limit: 100 });
      await deliverEvents(desk.pool);
      return sent;
    },
    paidBackMinor: (tradeId: string) => readPaidBack(desk.pool, provider, tradeId),
  };
}
export type RefundDesk = Awaited<ReturnType<typeof openRefundDesk>>;
export type SoldTrade = DeskTrade & { readonly shopOrderIds: readonly string[] };

async function confirm({ pool, notify }: PaymentDesk, trade: DeskTrade): Promise<SoldTrade> {
  await notify(trade);
  await deliverEvents(pool);
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM tinystore_order.shop_order WHERE trade_id = $1 ORDER BY shop_id',
    [trade.tradeId],
  );
  return { ...trade, shopOrderIds: rows.map((row) => row.id) };
}

async function readPaidBack(pool: Pool, { paidBack }: TestProvider, tradeId: string): Promise<number> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM tinystore_order.refund WHERE trade_id = $1', [
    tradeId,
  ]);
  return rows.reduce((sum, { id }) => sum + (paidBack.get(id)?.amountMinor ?? 0), 0);
}
