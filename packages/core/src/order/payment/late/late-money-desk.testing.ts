/** A whole order desk with what happens around it when money comes late: notices, events, effects and the job. */
import { mint } from '../../../domain/index.ts';
import { inTransaction, silentLog } from '../../../platform/index.ts';
import { deliverEvents } from '../../../testing/deliver-events.ts';
import { openTestShop, type TestShop } from '../../../testing/test-shop.ts';
import { endByTime } from '../../end-by-time.ts';
import { createDemoProvider } from '../demo/demo-provider.ts';
import { type NoticeChanges, readBooks, SECRET, sendNotice, setPayUntil } from '../payment-desk.testing.ts';
import type { ReceiveNoticeDeps } from '../receive-notice.ts';
import { type LateMoneyDeps, settleLateMoney } from './settle-late-money.ts';

export interface PlacedOrder {
  readonly tradeId: string;
  readonly buyerId: string;
  readonly intentId: string;
  readonly totalMinor: number;
}

export async function openLateMoneyDesk(
  name: string,
  env: Record<string, string> = { GATE_COMMAND_TIMEOUT_MS: '5000' },
  timeZone?: string,
) {
  const shop = await openTestShop(name, env, timeZone === undefined ? {} : { timeZone });
  const { pool, gate, gatekeeper } = shop;
  const waker = { wake: () => undefined };
  const provider = createDemoProvider({ pool, publicUrl: 'http://shop.example', webhookSecret: SECRET });
  const deps: LateMoneyDeps & ReceiveNoticeDeps = {
    pool,
    gate,
    waker,
    provider,
    log: silentLog,
    webhookSecrets: [SECRET],
  };
  /** Events to their consumers and effects to the gate, as relay, consumers and gatekeeper do. */
  const settle = async () => {
    await deliverEvents(pool);
    await gatekeeper.runOnce();
    await deliverEvents(pool);
    await gatekeeper.runOnce();
  };
  return {
    ...shop,
    deps,
    settle,
    place: (lines: Parameters<TestShop['order']>[0]) => place(shop, lines),
    notify: (order: PlacedOrder, changes: NoticeChanges = {}) => sendNotice(deps, order, changes),
    /** The time to pay ends, and the job that ends orders by time runs. */
    async runOutOfTime(order: PlacedOrder) {
      await setPayUntil(pool, order.tradeId, -1);
      await endByTime(deps, { limit: 100 });
      await settle();
    },
    /** The job, with everything due now, and what follows from it. */
    async runJob(more: Partial<LateMoneyDeps> = {}) {
      await makeDue(shop);
      const summary = await settleLateMoney({ ...deps, ...more }, { limit: 100 });
      await settle();
      return summary;
    },
    /** The provider has paid back every refund that was asked for. */
    moneyIsBack: () => payBack(shop),
    books: async (order: PlacedOrder) => ({
      ...(await readBooks(pool, order.tradeId)),
      late: await lateStates(shop, order.tradeId),
    }),
    /** What the gate has: D and the units in its hold set. */
    async atGate(skuId: string, shopId = 'S1') {
      const [reading] = await gate.read([{ shopId, skuId }]);
      if (reading?.kind !== 'read') throw new Error(`the gate could not be read: ${reading?.kind}`);
      return { deducted: reading.deducted, holds: reading.holdCount };
    },
  };
}
export type LateMoneyDesk = Awaited<ReturnType<typeof openLateMoneyDesk>>;

async function place(shop: TestShop, lines: Parameters<TestShop['order']>[0]): Promise<PlacedOrder> {
  const buyerId = mint<'BuyerId'>();
  const placed = await shop.order(lines, { buyerId });
  if (placed.kind !== 'placed') throw new Error(`not placed: ${placed.code}`);
  await deliverEvents(shop.pool);
  const { rows } = await shop.pool.query<{ id: string }>(
    'SELECT id FROM tinystore_order.payment_intent WHERE trade_id = $1',
    [placed.tradeId],
  );
  return { tradeId: placed.tradeId, buyerId, intentId: rows[0]?.id ?? '', totalMinor: placed.totalMinor };
}

async function makeDue({ pool }: TestShop): Promise<void> {
  await pool.query('UPDATE tinystore_order.late_payment SET next_attempt_at = ops.clock_now()');
}

async function lateStates({ pool }: TestShop, tradeId: string): Promise<string[]> {
  const { rows } = await pool.query<{ state: string }>(
    `SELECT cause || ' ' || status AS state FROM tinystore_order.late_payment WHERE trade_id = $1 ORDER BY created_at`,
    [tradeId],
  );
  return rows.map((row) => row.state);
}

async function payBack({ pool }: TestShop): Promise<void> {
  await inTransaction(pool, async (tx) => {
    await tx.query(`UPDATE tinystore_order.refund SET status = 'SENT' WHERE status IN ('REQUESTED', 'FAILED')`);
    await tx.query(
      `UPDATE tinystore_order.refund SET status = 'SUCCEEDED', succeeded_at = ops.clock_now() WHERE status = 'SENT'`,
    );
  });
}
