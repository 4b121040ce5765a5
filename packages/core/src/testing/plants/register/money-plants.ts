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
  {
    name: 'second-money-kept',
    rule: 'P30',
    sentence: 'A second payment of one order is noted and kept.',
    place: {
      file: `${ORDER}/payment/decide-notice.ts`,
      edits: [
        {
          find: "facts.tradeStatus === 'CLOSED' ? 'late' : 'second'",
          replace: "facts.tradeStatus === 'CLOSED' ? 'late' : 'note'",
        },
      ],
    },
    caughtBy: { file: NOTICE_TEST, title: 'a second success under another event id' },
  },
  {
    name: 'revived-before-given-back',
    rule: 'P28',
    sentence: 'A closed order is revived while its old units are still on their way back.',
    place: {
      file: `${ORDER}/payment/late/look-at-trade.ts`,
      edits: [{ find: ') AS ready,', replace: ') OR true AS ready,' }],
    },
    caughtBy: {
      file: 'order/payment/late/late-money.int.test.ts',
      title: 'the hold ended a moment ago and no job has run yet',
    },
  },
  {
    name: 'intended-ids-left',
    rule: 'P28',
    sentence: 'The ids of a revive that died are not ended before the next one takes anew.',
    place: {
      file: `${ORDER}/payment/late/intend-holds.ts`,
      edits: [{ find: 'await tombstoneIntended(tx, tradeId);', replace: '' }],
    },
    caughtBy: { file: 'order/payment/late/late-money.int.test.ts', title: 'a worker that dies at late-money' },
  },
  {
    name: 'older-attempt-revives',
    rule: 'P28',
    sentence: 'An attempt that was paused ends a payment that a later attempt is reviving.',
    place: {
      file: `${ORDER}/payment/late/settle-late-money.ts`,
      edits: [
        {
          find: "payment.status !== 'REVIVING' || payment.attempts !== attempt",
          replace: "payment.status !== 'REVIVING'",
        },
      ],
    },
    caughtBy: { file: 'order/payment/late/money-races.int.test.ts', title: 'P28 – an attempt that was paused' },
  },
  {
    name: 'refunded-before-released',
    rule: 'P30',
    sentence: 'Money goes back while the ledger could still confirm the order.',
    place: {
      file: `${ORDER}/refund/claim-refunds.ts`,
      edits: [
        { find: "AND NOT (d.cause = 'CANCELLED' AND EXISTS (", replace: "AND NOT (d.cause = 'NOBODY' AND EXISTS (" },
      ],
    },
    caughtBy: {
      file: 'order/refund/close-and-refund.int.test.ts',
      title: 'P30 – a payment still being booked is given back only after',
    },
  },
];
