/**
 * Somebody has counted the shelf. The figure is booked as the difference to the version that was on the screen (C08):
 * upwards as a receipt, downwards as a write-off. A stock that has moved on meanwhile refuses it.
 */
import { MAX_STOCK, refuse } from '../domain/index.ts';
import { findOperation, otherOperation, receiveStock } from '../ledger/index.ts';
import type { StockChanged, StockDeps } from './stock-desk.ts';
import { writeOff } from './write-off.ts';

export interface Recount {
  readonly operationId: string;
  readonly shopId: string;
  readonly skuId: string;
  /** Units on hand and unsold, held ones among them. */
  readonly counted: number;
  /** Version of the stock row that the counter has seen. */
  readonly expectedVersion: number;
  readonly actor: string;
  readonly reason: string;
}

export async function recountStock(deps: StockDeps, recount: Recount): Promise<StockChanged> {
  const { counted, expectedVersion, ...operation } = recount;
  const { operationId, shopId, skuId } = operation;
  if (!Number.isSafeInteger(counted) || counted < 0 || counted > MAX_STOCK)
    return refuse('INVALID_INPUT', `a count is a whole number of units from 0 to ${MAX_STOCK}`, { field: 'counted' });
  const known = await findOperation(deps.pool, operationId);
  if (known) {
    const same =
      known.kind === 'RECOUNT' && known.shopId === shopId && known.skuId === skuId && known.totalAfter === counted;
    return same ? { kind: 'repeated', totalQuantity: counted } : otherOperation();
  }
  const { rows } = await deps.pool.query<{ total: number; version: number }>(
    'SELECT total_quantity AS total, version FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2',
    [shopId, skuId],
  );
  const [stock] = rows;
  if (!stock) return refuse('UNKNOWN_SKU', `shop ${shopId} has no stock of ${skuId}`, { field: 'skuId' });
  if (stock.version !== expectedVersion)
    return refuse('STALE_VERSION', `The stock has changed meanwhile and is ${stock.total} now. Please look again.`, {
      field: 'expectedVersion',
    });
  const difference = counted - stock.total;
  if (difference === 0) return { kind: 'unchanged', totalQuantity: counted };
  // Both look at the version again in their own transaction.
  const change = { ...operation, kind: 'RECOUNT', expectedVersion, quantity: Math.abs(difference) } as const;
  if (difference < 0) return writeOff(deps, change);
  const received = await receiveStock(deps.pool, change);
  if (received.kind === 'received') deps.waker.wake('effects');
  return received.kind === 'received'
    ? { kind: 'changed', totalQuantity: received.totalQuantity }
    : received.kind === 'repeated'
      ? { kind: 'repeated', totalQuantity: counted }
      : received;
}
