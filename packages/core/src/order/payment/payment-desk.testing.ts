/** What the tests of this folder share: a database with the order stage's dependencies, and a provider's pen. */
import { mint } from '../../domain/index.ts';
import { createPool, type Pool, silentLog } from '../../platform/index.ts';
import { closeChecked } from '../../testing/close-checked.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { deliverEvents } from '../../testing/deliver-events.ts';
import { placeTestTrade, putInLedger, type TestTrade } from '../../testing/unpaid-trade.ts';
import { createDemoProvider } from './demo/demo-provider.ts';
import { signNotice } from './notice-signature.ts';
import { type NoticeReceipt, type ReceiveNoticeDeps, receiveNotice } from './receive-notice.ts';
import type { StartPaymentDeps } from './start-payment.ts';

export const SECRET = 'test-payment-webhook-secret-0123456789';

export interface NoticeChanges {
  readonly id?: string;
  readonly type?: 'created' | 'processing' | 'succeeded' | 'failed' | 'refunded';
  readonly chargeId?: string;
  readonly attempt?: number;
  readonly amountMinor?: unknown;
  readonly currency?: unknown;
}

export async function openPaymentDesk(name: string) {
  const database = await createTestDatabase(name);
  const pool = database.pool;
  const deps: StartPaymentDeps & ReceiveNoticeDeps = {
    pool,
    log: silentLog,
    waker: { wake: () => undefined },
    webhookSecrets: [SECRET],
    provider: createDemoProvider({ pool, publicUrl: 'http://shop.example', webhookSecret: SECRET }),
  };
  let skus = 0;
  return {
    pool,
    deps,
    close: () => closeChecked(database, false),
    /** The same dependencies over connections that give up a lock after `lockTimeoutMs`. */
    impatient(lockTimeoutMs: number) {
      const impatient = createPool({ url: database.url, name: 'impatient', max: 3, lockTimeoutMs });
      return { deps: { ...deps, pool: impatient }, end: () => impatient.end() };
    },
    /** An unpaid trade on SKUs of its own: one line in each shop, each SKU with `units` in stock. */
    async trade(options: TradeOptions = {}): Promise<DeskTrade> {
      const trade = await place(pool, `K${++skus}`, options);
      if (options.recorded !== false) await deliverEvents(pool);
      return trade;
    },
    /** Several of them, recorded together. */
    async trades(count: number, options: TradeOptions = {}): Promise<DeskTrade[]> {
      const trades: DeskTrade[] = [];
      while (trades.length < count) trades.push(await place(pool, `K${++skus}`, options));
      if (options.recorded !== false) await deliverEvents(pool);
      return trades;
    },
    /** Sends a correctly signed notice for the trade: its exact amount, in time, unless changed. */
    notify: (trade: Pick<TestTrade, 'intentId' | 'totalMinor'>, changes: NoticeChanges = {}, by = deps) =>
      sendNotice(by, trade, changes),
  };
}
export type DeskTrade = TestTrade & { readonly skuId: string };

interface TradeOptions {
  readonly shops?: readonly string[];
  readonly units?: number;
  /** This shop has none in the ledger, as if the gate had admitted too much. */
  readonly without?: string;
  readonly quantity?: number;
  readonly recorded?: boolean;
}

async function place(pool: Pool, skuId: string, options: TradeOptions): Promise<DeskTrade> {
  const { shops = ['S1'], units = 10, quantity = 1 } = options;
  await putInLedger(
    pool,
    shops.map((shopId) => ({ shopId, skuId, units: shopId === options.without ? 0 : units })),
  );
  const trade = await placeTestTrade(pool, { lines: shops.map((shopId) => ({ shopId, skuId, quantity })) });
  return { ...trade, skuId };
}

export type PaymentDesk = Awaited<ReturnType<typeof openPaymentDesk>>;

export async function sendNotice(
  deps: ReceiveNoticeDeps,
  trade: Pick<TestTrade, 'intentId' | 'totalMinor'>,
  changes: NoticeChanges,
): Promise<NoticeReceipt> {
  const { type = 'succeeded', ...rest } = changes;
  const rawBody = Buffer.from(
    JSON.stringify({
      id: `evt_${mint()}`,
      type: `payment.${type}`,
      intentId: trade.intentId,
      attempt: 1,
      amountMinor: trade.totalMinor,
      currency: 'EUR',
      createdAt: new Date().toISOString(),
      ...rest,
    }),
  );
  const receipt = await receiveNotice(deps, {
    rawBody,
    signature: signNotice(rawBody, [SECRET], Math.floor(Date.now() / 1000)),
  });
  if (receipt.kind === 'refused') throw new Error(`the notice was refused: ${receipt.code} ${receipt.message}`);
  return receipt;
}

export interface Books {
  readonly trade: string;
  readonly closeReason: string | null;
  readonly intent: string;
  readonly shopOrders: string[];
  readonly rows: string[];
  readonly openOrders: number;
  readonly latePayments: string[];
}

/** Where a trade stands in every book. */
export async function readBooks(pool: Pool, tradeId: string): Promise<Books> {
  const {
    rows: [books],
  } = await pool.query<Books>(
    `SELECT t.status AS trade, t.close_reason AS "closeReason", p.status AS intent, b.open_orders AS "openOrders",
       ARRAY(SELECT s.status FROM tinystore_order.shop_order s WHERE s.trade_id = t.id ORDER BY s.shop_id) AS "shopOrders",
       ARRAY(SELECT r.status FROM tinystore_inventory.inventory_reservation r WHERE r.trade_id = t.id ORDER BY r.shop_id) AS rows,
       ARRAY(SELECT m.cause FROM tinystore_order.late_payment m WHERE m.trade_id = t.id ORDER BY m.created_at) AS "latePayments"
     FROM tinystore_order.trade t JOIN tinystore_order.payment_intent p ON p.trade_id = t.id
     JOIN tinystore_order.buyer_limit b ON b.buyer_id = t.buyer_id WHERE t.id = $1`,
    [tradeId],
  );
  if (!books) throw new Error(`no trade ${tradeId}`);
  return books;
}

export interface Stock {
  readonly total: number;
  readonly reserved: number;
  readonly confirmed: number;
}

export async function readStock(pool: Pool, skuId: string, shopId = 'S1'): Promise<Stock> {
  const {
    rows: [stock],
  } = await pool.query<Stock>(
    `SELECT total_quantity AS total, reserved_quantity AS reserved, confirmed_quantity AS confirmed
     FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2`,
    [shopId, skuId],
  );
  if (!stock) throw new Error(`no stock of ${skuId}`);
  return stock;
}

/** Moves one trade's deadline; negative is in the past. */
export async function setPayUntil(pool: Pool, tradeId: string, fromNowMs: number): Promise<void> {
  await pool.query(
    'UPDATE tinystore_order.trade SET pay_until = ops.clock_now() + make_interval(secs => $2 / 1000.0) WHERE id = $1',
    [tradeId, fromNowMs],
  );
}

export async function openIncidents(pool: Pool, subject: string): Promise<string[]> {
  const { rows } = await pool.query<{ kind: string }>(
    `SELECT kind FROM ops.incident WHERE subject = $1 AND status = 'OPEN' ORDER BY id`,
    [subject],
  );
  return rows.map((row) => row.kind);
}
