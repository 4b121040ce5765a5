/** Money that comes, in time or late, and the jobs that ask the provider about it. */
import { cancelOrder, receiveNotice, startPayment } from '@holdfast/core/order';
import type { JobDefinition } from '../jobs/job.ts';
import { judgePayments } from '../jobs/judge-payments.ts';
import { runCompare } from '../jobs/run-compare.ts';
import { runLateMoney } from '../jobs/run-late-money.ts';
import { runUnmatched } from '../jobs/run-unmatched.ts';
import { runSendRefunds } from '../jobs/send-refunds.ts';
import type { SweptHandler } from './sweep.testing.ts';
import { type SweepShop, type SweptTrade, UNITS } from './sweep-shop.testing.ts';

/** The trade has ended before its money was told of. */
const cancelled =
  (scene: SweepShop) =>
  ({ tradeId, buyerId }: SweptTrade) =>
    cancelOrder(scene.payments, { tradeId, by: { kind: 'buyer', buyerId } });

/** Nobody keeps both: the order is sold, or its money went back. */
async function paidOrBack({ pool }: SweepShop, { tradeId }: SweptTrade, wanted?: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ status: string; back: number; paid: number }>(
    `SELECT t.status, t.total_minor AS paid,
       (SELECT coalesce(sum(r.amount_minor), 0)::bigint FROM demo_provider.refund r
        JOIN tinystore_order.payment_intent p ON p.id::text = r.intent_ref WHERE p.trade_id = t.id) AS back
     FROM tinystore_order.trade t WHERE t.id = $1`,
    [tradeId],
  );
  const row = rows[0];
  if (!row) return 'its trade is gone';
  const sold = ['PAID', 'SHIPPED', 'RECEIVED'].includes(row.status);
  if (sold ? row.back !== 0 : row.back !== row.paid) return `${row.status} with ${row.back} of ${row.paid} paid back`;
  return wanted === undefined || row.status === wanted ? undefined : `${row.status} instead of ${wanted}`;
}

/** A job about one trade that is paid. */
function job(
  name: string,
  run: JobDefinition['run'],
  given: (scene: SweepShop) => Promise<SweptTrade>,
  wanted: string,
): SweptHandler {
  return {
    name,
    async given(scene) {
      const trade = await given(scene);
      return { act: ({ jobs }) => run(jobs), holds: () => paidOrBack(scene, trade, wanted) };
    },
  };
}

const late = async (scene: SweepShop) => {
  const trade = await scene.paid(cancelled(scene));
  await scene.settle();
  return trade;
};

/** Late money whose units somebody else has meanwhile. */
async function lateAndSoldOut(scene: SweepShop): Promise<SweptTrade> {
  const trade = await late(scene);
  await scene.shop.order([{ skuId: trade.skuId, quantity: UNITS - 1 }]);
  return trade;
}

export const PAYMENT_HANDLERS: readonly SweptHandler[] = [
  {
    name: 'start a payment',
    async given(scene) {
      const { tradeId, buyerId } = await scene.placed();
      return { act: ({ trades }) => startPayment(trades, { tradeId, buyerId }) };
    },
  },
  {
    name: 'receive a notice',
    async given(scene) {
      const trade = await scene.charged();
      return {
        act: ({ trades }) => receiveNotice(trades, trade.notice),
        // Not answered, so the provider sends it again.
        again: async () => {
          const receipt = await receiveNotice(scene.payments, trade.notice);
          return receipt.kind === 'stored' ? undefined : `sent again it is ${receipt.kind}`;
        },
        holds: () => paidOrBack(scene, trade, 'PAID'),
      };
    },
  },
  job('judge stored notices', judgePayments, (scene) => scene.stored(), 'PAID'),
  job('late money that revives its order', runLateMoney, late, 'PAID'),
  job('late money that goes back', runLateMoney, lateAndSoldOut, 'REFUNDED'),
  job(
    'send a refund',
    runSendRefunds,
    async (scene) => {
      const trade = await lateAndSoldOut(scene);
      await runLateMoney(scene.own.jobs);
      return trade;
    },
    'REFUNDED',
  ),
  job('compare with the provider', runCompare, (scene) => scene.charged(), 'PAID'),
  {
    name: 'give back money that no order asked for',
    async given(scene) {
      const intentId = await scene.strangersMoney();
      await scene.pass(31 * 60_000);
      return {
        act: ({ jobs }) => runUnmatched(jobs),
        holds: async () => {
          const { rows } = await scene.pool.query('SELECT FROM demo_provider.refund WHERE intent_ref = $1', [intentId]);
          return rows.length === 1 ? undefined : `${rows.length} refunds of it`;
        },
      };
    },
  },
];
