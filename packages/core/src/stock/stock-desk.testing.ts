/** A shop whose stock people change: gate, ledger, sweep and the changes, on real servers. */
import { mint } from '../domain/index.ts';
import { type Receipt, receiveStock } from '../ledger/index.ts';
import { silentLog } from '../platform/index.ts';
import { openTestBooks } from '../reconcile/books.testing.ts';
import { type Recount, recountStock } from './recount.ts';
import type { StockDeps } from './stock-desk.ts';
import { type WriteOff, writeOff } from './write-off.ts';

export type TestStock = Awaited<ReturnType<typeof openTestStock>>;

const BY = { shopId: 'S1', actor: 'ada', reason: 'counted' };

export async function openTestStock(name: string) {
  const books = await openTestBooks(name);
  const { pool, gate, gatekeeper } = books;
  // As the worker does: a wake-up applies the effects that are due.
  const waker = { wake: () => void gatekeeper.runOnce().catch(() => undefined) };
  const deps: StockDeps = { pool, gate, log: silentLog, waker, limitMs: 10_000 };
  const anew = () => ({ ...BY, operationId: mint<'OperationId'>() });
  return {
    ...books,
    deps,
    writeOff: (skuId: string, quantity: number, more: Partial<WriteOff> & Partial<Pick<StockDeps, 'stopAt'>> = {}) => {
      const { stopAt, ...wanted } = more;
      return writeOff({ ...deps, ...(stopAt && { stopAt }) }, { ...anew(), skuId, quantity, ...wanted });
    },
    recount: (skuId: string, counted: number, expectedVersion: number, more: Partial<Recount> = {}) =>
      recountStock(deps, { ...anew(), skuId, counted, expectedVersion, ...more }),
    receive: (skuId: string, quantity: number, more: Partial<Receipt> = {}) =>
      receiveStock(pool, { ...anew(), skuId, quantity, ...more }),
    /** The ledger's figures of one SKU of shop S1. */
    async figures(skuId: string) {
      const { rows } = await pool.query<{ total: number; reserved: number; confirmed: number; version: number }>(
        `SELECT total_quantity AS total, reserved_quantity AS reserved, confirmed_quantity AS confirmed, version
         FROM tinystore_inventory.inventory_stock WHERE shop_id = 'S1' AND sku_id = $1`,
        [skuId],
      );
      const [row] = rows;
      if (!row) throw new Error(`no stock of ${skuId}`);
      return row;
    },
    async operations(skuId: string) {
      const { rows } = await pool.query<{ kind: string; quantity: number; actor: string; reason: string }>(
        `SELECT o.kind, o.quantity, o.actor, o.reason FROM tinystore_inventory.stock_operation o
         JOIN tinystore_inventory.stock_movement m ON m.operation_id = o.id AND m.quantity = o.quantity
         WHERE o.sku_id = $1 AND o.actor <> 'test' ORDER BY m.id`,
        [skuId],
      );
      return rows;
    },
  };
}
