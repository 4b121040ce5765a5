/** Faults around payment, the end by time and late money. */
import type { Plant } from '../plant.ts';

const ORDER = 'packages/core/src/order';
const NOTICE_TEST = 'order/payment/receive-notice.int.test.ts';

export const MONEY_PLANTS: readonly Plant[] = [
  {
    name: 'paid-before-recorded',
    rule: 'P26',
    sentence: 'A payment starts although the ledger has no rows for its order.',
    place: {
      file: `${ORDER}/payment/start-payment.ts`,
      edits: [{ find: 'const short = await closeIfShort(tx, trade);', replace: 'const short = undefined;' }],
    },
    caughtBy: { file: 'order/payment/start-payment.int.test.ts', title: 'P26 – a payment starts only once' },
  },
  {
    name: 'paid-without-rows',
    rule: 'P26',
    sentence: 'A notice pays an order whose units the ledger never had.',
    place: {
      file: `${ORDER}/payment/apply-decision.ts`,
      edits: [{ find: 'if (await recordBeforePayment(tx, trade)) {', replace: 'if (true) {' }],
    },
    caughtBy: { file: NOTICE_TEST, title: 'P26 – money for units that were never recorded' },
  },
  {
    name: 'expiry-ignores-notice',
    rule: 'P25',
    sentence: 'An order ends by time although its money was received in time.',
    place: {
      file: `${ORDER}/end-by-time.ts`,
      edits: [
        {
          find: 'const PAID_IN_TIME = `EXISTS (SELECT 1',
          replace: 'const PAID_IN_TIME = `EXISTS (SELECT 1 WHERE false) AND EXISTS (SELECT 1',
        },
      ],
    },
    caughtBy: { file: NOTICE_TEST, title: 'money received in time and judged late beats expiry' },
  },
  {
    name: 'late-by-processing-time',
    rule: 'P24',
    sentence: 'Money counts as late by when its notice is judged, not by when it was received.',
    place: {
      file: `${ORDER}/payment/judge-stored.ts`,
      edits: [
        { find: 'e.received_at <= t.pay_until AS "inTime"', replace: 'ops.clock_now() <= t.pay_until AS "inTime"' },
      ],
    },
    caughtBy: { file: NOTICE_TEST, title: 'money received in time and judged late beats expiry' },
  },
  {
    name: 'refunded-twice',
    rule: 'P28',
    sentence: 'Late money goes back once for each time that its job looks at it.',
    place: {
      file: `${ORDER}/payment/late/give-back-money.ts`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: text of a source
      edits: [{ find: '`late-money:${payment.eventId}`', replace: '`late-money:${performance.now()}`' }],
    },
    caughtBy: { file: 'order/payment/late/late-money.int.test.ts', title: 'P28 – late money that is looked at again' },
  },
  {
    name: 'refunds-past-payment',
    rule: 'P31',
    sentence: 'Refunds of one payment together may pass what it brought.',
    place: {
      file: `${ORDER}/refund/request-refund.ts`,
      edits: [{ find: 'if (request.amountMinor > left)', replace: 'if (Number.isNaN(left))' }],
    },
    caughtBy: { file: 'order/refund/request-refund.int.test.ts', title: 'P31 – refunds of one payment together' },
  },
];
