/**
 * Units come in (P4): the ledger rises first, the gate follows by an effect. An operation id counts once (C07). A
 * SKU's first units create its stock row and load it at the gate; later ones raise what is loaded.
 */
import { type Failure, gateCapacity, MAX_STOCK, refuse } from '../domain/index.ts';
import { inTransaction, type Pool, repeatOnConflict, type Sql } from '../platform/index.ts';
import {
  findOperation,
  insertOperation,
  isSameOperation,
  otherOperation,
  type StockOperation,
} from './stock-operation.ts';

export interface Receipt extends Pick<StockOperation, 'operationId' | 'shopId' | 'skuId' | 'quantity' | 'actor'> {
  /** Why the units came in; a delivery unless it is said. */
  readonly reason?: string;
  /** A recount upwards, an import or an undo is booked under its own kind. */
  readonly kind?: Exclude<StockOperation['kind'], 'WRITE_OFF'>;
  readonly importId?: string;
  /** Refused as STALE_VERSION when the stock row has moved on. */
  readonly expectedVersion?: number;
}
export type ReceiveOutcome =
  | { readonly kind: 'received'; readonly totalQuantity: number }
  | { readonly kind: 'repeated' }
  | Failure;

export async function receiveStock(pool: Pool, receipt: Receipt): Promise<ReceiveOutcome> {
  const { quantity } = receipt;
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > MAX_STOCK)
    return refuse('INVALID_INPUT', `a receipt is a whole number of units from 1 to ${MAX_STOCK}`, {
      field: 'quantity',
    });
  return repeatOnConflict(() => inTransaction(pool, (tx) => receive(tx, receipt)));
}

/** Whatever can refuse stands before the first write, because a refusal is returned and commits. */
async function receive(tx: Sql, receipt: Receipt): Promise<ReceiveOutcome> {
  const { shopId, skuId, quantity } = receipt;
  const operation = { kind: 'RECEIPT', reason: 'delivery', ...receipt } as const;
  const before = await findBooked(tx, operation);
  if (before) return before;
  const { rowCount: known } = await tx.query('SELECT 1 FROM tinystore_order.sku WHERE shop_id = $1 AND id = $2', [
    shopId,
    skuId,
  ]);
  if (known !== 1) return refuse('UNKNOWN_SKU', `shop ${shopId} has no SKU ${skuId}`, { field: 'skuId' });
  const stock = await lockOne(tx, shopId, skuId);
  const refusal = refuseReceipt(stock, receipt);
  if (refusal) return refusal;

  // The row is locked (or nobody else has it yet), so what was read is what is added to.
  if (!(await insertOperation(tx, operation, stock?.totalQuantity ?? 0)))
    return (await findBooked(tx, operation)) ?? { kind: 'repeated' };
  await tx.query(
    `INSERT INTO tinystore_inventory.stock_movement (shop_id, sku_id, kind, quantity, operation_id, actor)
     VALUES ($1, $2, 'RECEIPT', $3, $4, $5)`,
    [shopId, skuId, quantity, receipt.operationId, receipt.actor],
  );
  const after = stock ? await raise(tx, receipt) : await create(tx, receipt);
  await tx.query(
    'INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, quantity) VALUES ($1, $2, $3, $4)',
    [stock ? 'RAISE' : 'INSTALL', shopId, skuId, stock ? gateCapacity(after) : null],
  );
  return { kind: 'received', totalQuantity: after.totalQuantity };
}

function refuseReceipt(stock: Stock | undefined, { quantity, expectedVersion }: Receipt): Failure | undefined {
  if (expectedVersion !== undefined && stock?.version !== expectedVersion)
    return refuse('STALE_VERSION', 'The stock has changed meanwhile. Please look again.', { field: 'expectedVersion' });
  if (stock && gateCapacity(stock) + quantity > MAX_STOCK)
    return refuse('INVALID_INPUT', `a SKU can have at most ${MAX_STOCK} units over its life`, { field: 'quantity' });
  return undefined;
}

interface Stock {
  readonly totalQuantity: number;
  readonly confirmedQuantity: number;
  readonly version: number;
}
const FIGURES = 'total_quantity AS "totalQuantity", confirmed_quantity AS "confirmedQuantity", version';

async function lockOne(tx: Sql, shopId: string, skuId: string): Promise<Stock | undefined> {
  const { rows } = await tx.query<Stock>(
    `SELECT ${FIGURES} FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2 FOR UPDATE`,
    [shopId, skuId],
  );
  return rows[0];
}

async function raise(tx: Sql, { shopId, skuId, quantity }: Receipt): Promise<Stock> {
  const { rows } = await tx.query<Stock>(
    `UPDATE tinystore_inventory.inventory_stock SET total_quantity = total_quantity + $3, version = version + 1
     WHERE shop_id = $1 AND sku_id = $2 RETURNING ${FIGURES}`,
    [shopId, skuId, quantity],
  );
  return written(rows[0], shopId, skuId);
}

/** @throws Raced when somebody else has created the row at this moment; the whole is then tried anew. */
async function create(tx: Sql, { shopId, skuId, quantity }: Receipt): Promise<Stock> {
  const { rows } = await tx.query<Stock>(
    `INSERT INTO tinystore_inventory.inventory_stock (shop_id, sku_id, total_quantity) VALUES ($1, $2, $3)
     ON CONFLICT DO NOTHING RETURNING ${FIGURES}`,
    [shopId, skuId, quantity],
  );
  if (!rows[0]) throw new Raced(`${shopId} ${skuId} was listed at this moment`);
  return rows[0];
}

/** Repeated like a conflict that PostgreSQL itself reports. */
class Raced extends Error {
  override readonly name = 'Raced';
  readonly code = '40001';
}

function written(stock: Stock | undefined, shopId: string, skuId: string): Stock {
  if (!stock) throw new Error(`stock row of ${shopId} ${skuId} was not written`);
  return stock;
}

async function findBooked(tx: Sql, operation: StockOperation): Promise<ReceiveOutcome | undefined> {
  const known = await findOperation(tx, operation.operationId);
  if (!known) return undefined;
  return isSameOperation(known, operation) ? { kind: 'repeated' } : otherOperation();
}
