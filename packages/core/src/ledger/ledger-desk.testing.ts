/** A ledger of its own for one test: a fresh database and the ledger's verbs on shop orders that were really placed. */
import { inTransaction, type Pool } from '../platform/index.ts';
import { closeChecked } from '../testing/close-checked.ts';
import { createTestDatabase } from '../testing/database.ts';
import { placeTestTrade, putInLedger } from '../testing/unpaid-trade.ts';
import { confirmTrades, expireReservations, recordReservations, releaseReservations } from './index.ts';
import { readOrders, type TestOrder } from './ledger-books.testing.ts';

export type TestLedger = Awaited<ReturnType<typeof openTestLedger>>;

export async function openTestLedger() {
  const database = await createTestDatabase('ledger');
  const pool: Pool = database.pool;
  return {
    pool,
    /** Set by a test that asks the ledger for what the order's own state does not bear out: nothing is checked then. */
    mayBreak: false,
    close(): Promise<void> {
      return closeChecked(database, this.mayBreak);
    },
    /** Units by `shop.sku`. */
    stock: (units: Record<string, number>) =>
      putInLedger(
        pool,
        Object.entries(units).map(([name, n]) => {
          const [shopId = '', skuId = ''] = name.split('.');
          return { shopId, skuId, units: n };
        }),
      ),
    /** One unpaid trade; its shop orders, nothing recorded yet. Shop S1 unless named. */
    async place(...lines: { shopId?: string; skuId: string; quantity: number }[]): Promise<TestOrder[]> {
      const { tradeId } = await placeTestTrade(pool, { lines: lines.map((line) => ({ shopId: 'S1', ...line })) });
      return readOrders(pool, tradeId);
    },
    record: (orders: readonly TestOrder[]) => inTransaction(pool, (tx) => recordReservations(tx, orders)),
    confirm: (orders: readonly TestOrder[]) => {
      const named = orders.map((o) => ({ ...o, reservationIds: o.lines.map((line) => line.reservationId) }));
      return inTransaction(pool, (tx) => confirmTrades(tx, named));
    },
    release: (orders: readonly TestOrder[], reason = 'BUYER_CANCELLED') => {
      const named = orders.map((o) => ({ ...o, reason }));
      return inTransaction(pool, (tx) => releaseReservations(tx, named));
    },
    expire: (tradeIds: readonly string[]) => inTransaction(pool, (tx) => expireReservations(tx, tradeIds)),
  };
}
