/**
 * Unpaid trades for tests of payment, cancel and end by time, written by the order commit itself. There is no
 * gate: the epoch is opened in the ledger and each line says it was admitted under it.
 */
import { minorUnits, mint, times } from '../domain/index.ts';
import { receiveStock } from '../ledger/index.ts';
import { buildAttempt } from '../order/build-order.ts';
import { type CommitOrder, commitArguments } from '../order/commit-arguments.ts';
import type { Pool, Sql } from '../platform/index.ts';

export interface TestLine {
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
}

export interface TestTrade {
  readonly tradeId: string;
  readonly buyerId: string;
  readonly intentId: string;
  readonly totalMinor: number;
  readonly reservationIds: string[];
}

export interface PlaceTestTrade {
  readonly lines: readonly TestLine[];
  readonly buyerId?: string;
  readonly intentId?: string;
  readonly cartId?: string;
  readonly paySeconds?: number;
}

export const TEST_PRICE_MINOR = 1999;

/** Puts SKUs on sale at 19.99 EUR with these units in the ledger, and opens the epoch. */
export async function putInLedger(
  pool: Pool,
  skus: readonly { shopId: string; skuId: string; units: number }[],
): Promise<void> {
  await pool.query('UPDATE tinystore_inventory.gate_epoch SET epoch = 1, open = true');
  for (const { shopId, skuId, units } of skus) {
    const product = `${shopId}.${skuId}`;
    await pool.query(
      `INSERT INTO tinystore_order.shop (id, name, currency) VALUES ($1, $1, 'EUR') ON CONFLICT DO NOTHING`,
      [shopId],
    );
    await pool.query(
      `INSERT INTO tinystore_order.product (id, shop_id, name, description, art) VALUES ($1, $2, $1, 'test', 'tee')`,
      [product, shopId],
    );
    await pool.query(
      `INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor) VALUES ($1, $2, $3, $2, $4)`,
      [shopId, skuId, product, TEST_PRICE_MINOR],
    );
    await pool.query(
      'INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity) VALUES ($1, $2, 0)',
      [shopId, skuId],
    );
    if (units > 0) await receiveWithoutGate(pool, shopId, skuId, units);
  }
}

/** A receipt whose effect there is no gate to apply to. */
async function receiveWithoutGate(pool: Pool, shopId: string, skuId: string, quantity: number): Promise<void> {
  await receiveStock(pool, { shopId, skuId, quantity, operationId: mint<'OperationId'>(), actor: 'test' });
  await pool.query(
    `DELETE FROM tinystore_inventory.gate_effect WHERE kind = 'RAISE' AND shop_id = $1 AND sku_id = $2`,
    [shopId, skuId],
  );
}

export async function placeTestTrade(sql: Sql, wanted: PlaceTestTrade): Promise<TestTrade> {
  const buyerId = wanted.buyerId ?? mint<'BuyerId'>();
  const order = prepare(wanted, buyerId);
  const {
    rows: [row],
  } = await sql.query<{ outcome: string }>(
    'SELECT outcome FROM tinystore_order.commit_orders($1::jsonb, $2::jsonb, $3::jsonb, $4::jsonb, $6, 1000, $5)',
    [...commitArguments([order]), wanted.paySeconds ?? 900],
  );
  if (row?.outcome !== 'PLACED') throw new Error(`the test order was not placed: ${row?.outcome}`);
  const { tradeId, intentId, totalMinor, shopOrders } = order.attempt;
  return {
    tradeId,
    buyerId,
    intentId,
    totalMinor,
    reservationIds: shopOrders.flatMap((so) => so.lines.map((line) => line.reservationId)),
  };
}

function prepare(wanted: PlaceTestTrade, buyerId: string): CommitOrder {
  const price = minorUnits(TEST_PRICE_MINOR);
  const lines = wanted.lines.map((line) => ({
    ...line,
    unitPriceMinor: price,
    name: line.skuId,
    lineMinor: times(price, line.quantity),
    gateMode: 'REDIS' as const,
    buyerLimited: false,
  }));
  const input = { key: mint<'key'>(), lines, ...(wanted.cartId === undefined ? {} : { cartId: wanted.cartId }) };
  const order = {
    buyerId,
    input,
    fingerprint: 'test',
    traceId: 'test',
    lines,
    currency: 'EUR',
    deadline: Number.POSITIVE_INFINITY,
  };
  const attempt = { ...buildAttempt(order), ...(wanted.intentId === undefined ? {} : { intentId: wanted.intentId }) };
  const generations = new Map(
    attempt.shopOrders.flatMap((so) => so.lines.map((line) => [line.reservationId, 1] as const)),
  );
  return { order, attempt, epoch: 1, generations };
}
