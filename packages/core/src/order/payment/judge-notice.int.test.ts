import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { openIncidents, openPaymentDesk, type PaymentDesk, readBooks, readStock } from './payment-desk.testing.ts';
import { startPayment } from './start-payment.ts';

let desk: PaymentDesk;
beforeAll(async () => {
  desk = await openPaymentDesk('judge_notice');
});
afterAll(() => desk.close());

describe('C34 – An old payment notice never moves an order back', () => {
  const notices = ['created', 'processing', 'failed', 'succeeded'] as const;
  const sequences = permutations(notices);

  test.each([
    ['once', 1],
    ['twice', 2],
  ] as const)('in all 24 sequences, each delivered %s', async (_, times) => {
    expect(sequences).toHaveLength(24);
    const runs = (await desk.trades(sequences.length)).map((trade, at) => {
      const ids = Object.fromEntries(notices.map((type) => [type, `evt_${mint()}`]));
      const sequence = (sequences[at] ?? []).flatMap((one) => Array.from({ length: times }, () => one));
      return { trade, ids, sequence };
    });
    for (const { trade } of runs) await startPayment(desk.deps, trade);
    // Step by step for all of them: the first notice of each sequence, then the second of each, and so on.
    for (let step = 0; step < notices.length * times; step++) {
      for (const { trade, ids, sequence } of runs) {
        const type = sequence[step] ?? 'created';
        await desk.notify(trade, { type, id: ids[type] ?? '', attempt: type === 'succeeded' ? 2 : 1 });
      }
      await deliverEvents(desk.pool);
      for (const { trade, sequence } of runs)
        expect(await readBooks(desk.pool, trade.tradeId), sequence.join()).toMatchObject(
          sequence.slice(0, step + 1).includes('succeeded')
            ? { trade: 'PAID', intent: 'SUCCEEDED', rows: ['CONFIRMED'], latePayments: [] }
            : { trade: 'UNPAID', rows: ['PRE_DEDUCTED'] },
        );
    }
    for (const { trade } of runs)
      expect(await readStock(desk.pool, trade.skuId)).toEqual({ total: 9, reserved: 0, confirmed: 1 });
  });

  test('with "refunded" among them, in all 120 sequences, each twice: the payment ends as refunded', async () => {
    const all = permutations([...notices, 'refunded'] as const);
    expect(all).toHaveLength(120);
    const runs = (await desk.trades(all.length)).map((trade, at) => ({ trade, sequence: all[at] ?? [] }));
    await Promise.all(runs.map(({ trade }) => startPayment(desk.deps, trade)));
    const send = async ({ trade, sequence }: (typeof runs)[number]) => {
      for (const type of sequence) {
        const attempt = type === 'succeeded' || type === 'refunded' ? 2 : 1;
        const chargeId = `ch_${attempt}_${trade.intentId}`;
        await desk.notify(trade, { type, id: `evt_${type}_${trade.intentId}`, attempt, chargeId });
      }
    };
    await Promise.all(runs.map(send));
    await deliverEvents(desk.pool);
    await Promise.all(runs.map(send));
    for (const { trade, sequence } of runs) {
      const paidFirst = sequence.indexOf('succeeded') < sequence.indexOf('refunded');
      expect(await readBooks(desk.pool, trade.tradeId), sequence.join()).toMatchObject(
        paidFirst
          ? { trade: 'PAID', intent: 'REFUNDED', rows: ['CONFIRMED'], latePayments: [] }
          : { trade: 'CLOSED', intent: 'REFUNDED', rows: ['RELEASED'], latePayments: [] },
      );
      // Nobody here asked for that refund: a person is told, unless no goods are at stake.
      expect(await openIncidents(desk.pool, trade.intentId)).toEqual(paidFirst ? ['PAYMENT_DIFFERS'] : []);
    }
  });

  test('only "failed" for the current attempt: that attempt is failed and nothing is confirmed', async () => {
    const trade = await desk.trade();
    await startPayment(desk.deps, trade);
    await desk.notify(trade, { type: 'failed' });
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      trade: 'UNPAID',
      intent: 'FAILED',
      rows: ['PRE_DEDUCTED'],
    });
  });
});

describe('C53 – Rounding never decides whether an order is paid', () => {
  const wrong = [
    { amountMinor: 5996 },
    { amountMinor: 5998 },
    { currency: 'USD' },
    { currency: 'eur' },
    { amountMinor: '5997' },
    { amountMinor: -5997 },
    { amountMinor: 59.97 },
    { amountMinor: null },
    { amountMinor: 2998 },
    { amountMinor: 2999 },
  ];

  test('each wrong amount is stored as "amount differs" with an incident, and the exact one still pays', async () => {
    const trade = await desk.trade({ quantity: 3 });
    await startPayment(desk.deps, trade);
    for (const changes of wrong) {
      const receipt = await desk.notify(trade, changes);
      expect(receipt, JSON.stringify(changes)).toMatchObject({ kind: 'stored', verdict: 'AMOUNT_DIFFERS' });
      if (receipt.kind === 'stored')
        expect(await openIncidents(desk.pool, receipt.eventId)).toEqual(['AMOUNT_MISMATCH']);
    }
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({
      trade: 'UNPAID',
      rows: ['PRE_DEDUCTED'],
      // Those whose amount and currency can be read are given back; the others wait for a person.
      latePayments: Array.from({ length: 5 }, () => 'AMOUNT_DIFFERS'),
    });
    expect(await desk.notify(trade)).toMatchObject({ verdict: 'PAID' });
    await deliverEvents(desk.pool);
    expect(await readBooks(desk.pool, trade.tradeId)).toMatchObject({ trade: 'PAID', rows: ['CONFIRMED'] });
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  return items.length < 2
    ? [[...items]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}
