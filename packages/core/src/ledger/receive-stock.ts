/**
 * Units come in (P4): the ledger rises first, the gate follows by an effect. An operation id counts once (C07). A
 * SKU's first units create its stock row and load it at the gate; later ones raise what is loaded.
 */
import { type Failure, gateCapacity, MAX_STOCK, refuse } from '../domain/index.ts';
import { inTransaction, type Pool, repeatOnConflict, type Sql } from '../platform/index.ts';

export interface Receipt {
  readonly shopId: string;
  readonly skuId: string;
  readonly quantity: number;
  /** uuid, minted by whoever books the receipt; repeated with each repeat of it. */
  readonly operationId: string;
  readonly actor: string;
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
  const before = await findReceipt(tx, receipt);
  if (before) return before;
  const { rowCount: known } = await tx.query('SELECT 1 FROM tinystore_order.sku WHERE shop_id = $1 AND id = $2', [
    shopId,
    skuId,
  ]);
  if (known !== 1) return refuse('UNKNOWN_SKU', `shop ${shopId} has no SKU ${skuId}`);
  const {
    rows: [stock],
  } = await tx.query<Stock>(
    `SELECT total_quantity AS "totalQuantity", confirmed_quantity AS "confirmedQuantity"
     FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2 FOR UPDATE`,
    [shopId, skuId],
  );
  if (stock && gateCapacity(stock) + quantity > MAX_STOCK)
    return refuse('INVALID_INPUT', `a SKU can have at most ${MAX_STOCK} units over its life`, {
      field: 'quantity',
    });

  if (!(await insertMovement(tx, receipt))) return (await findReceipt(tx, receipt)) ?? { kind: 'repeated' };
  const {
    rows: [after],
  } = await tx.query<Stock & { created: boolean }>(
    `INSERT INTO tinystore_inventory.inventory_stock AS s (shop_id, sku_id, total_quantity) VALUES ($1, $2, $3)
     ON CONFLICT (shop_id, sku_id) DO UPDATE SET total_quantity = s.total_quantity + $3, version = s.version + 1
     RETURNING total_quantity AS "totalQuantity", confirmed_quantity AS "confirmedQuantity", xmax = 0 AS created`,
    [shopId, skuId, quantity],
  );
  if (!after) throw new Error(`stock row of ${shopId} ${skuId} was not written`);
  await tx.query(
    'INSERT INTO tinystore_inventory.gate_effect (kind, shop_id, sku_id, quantity) VALUES ($1, $2, $3, $4)',
    [after.created ? 'INSTALL' : 'RAISE', shopId, skuId, after.created ? null : gateCapacity(after)],
  );
  return { kind: 'received', totalQuantity: after.totalQuantity };
}

interface Stock {
  readonly totalQuantity: number;
  readonly confirmedQuantity: number;
}

async function findReceipt(
  tx: Sql,
  { shopId, skuId, quantity, operationId }: Receipt,
): Promise<ReceiveOutcome | undefined> {
  const {
    rows: [found],
  } = await tx.query<{ shopId: string; skuId: string; quantity: number }>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId", quantity FROM tinystore_inventory.stock_movement WHERE operation_id = $1`,
    [operationId],
  );
  if (!found) return undefined;
  if (found.shopId === shopId && found.skuId === skuId && found.quantity === quantity) return { kind: 'repeated' };
  return refuse('IDEMPOTENCY_MISMATCH', 'this operation id has booked another receipt');
}

/** False when the same operation id was booked at this moment by somebody else. */
async function insertMovement(tx: Sql, { shopId, skuId, quantity, operationId, actor }: Receipt): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO tinystore_inventory.stock_movement (shop_id, sku_id, kind, quantity, operation_id, actor)
     VALUES ($1, $2, 'RECEIPT', $3, $4, $5) ON CONFLICT (operation_id) WHERE operation_id IS NOT NULL DO NOTHING`,
    [shopId, skuId, quantity, operationId, actor],
  );
  return rowCount === 1;
}
