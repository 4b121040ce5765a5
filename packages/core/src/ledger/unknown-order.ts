/** A verb of the ledger that names a shop order nobody has placed is a fault of its sender, not a state of the order. */
import type { Sql } from '../platform/index.ts';
import { findUnknownOrders } from './sql/find-unknown-orders.ts';

export class UnknownOrder extends Error {
  override readonly name = 'UnknownOrder';
}

/** @throws UnknownOrder when one of them does not exist */
export async function refuseUnknownOrders(tx: Sql, orders: readonly { readonly shopOrderId: string }[]): Promise<void> {
  const [unknown] = await findUnknownOrders(
    tx,
    orders.map((order) => order.shopOrderId),
  );
  if (unknown) throw new UnknownOrder(`shop order ${unknown} does not exist`);
}
