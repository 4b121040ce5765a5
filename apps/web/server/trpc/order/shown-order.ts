/** An order as both its buyer and an operator see it: what it is, what came after the sale, and what may be done now. */
import {
  type AfterSaleView,
  readAfterSale,
  readTrade,
  SHOP_ORDER_MOVES,
  type ShopOrderMove,
  sentencesOf,
  TRADE_MOVES,
  type TradeMove,
  type TradeView,
} from '@holdfast/core/order';
import type { Pool } from '@holdfast/core/platform';

export interface ShownOrder extends TradeView {
  readonly afterSale: AfterSaleView;
  /** null where a move is allowed, else the sentence that says why not (C25). */
  readonly moves: Record<TradeMove, string | null>;
  readonly shopOrderMoves: Record<string, Record<ShopOrderMove, string | null>>;
}

const NOTHING: AfterSaleView = { parcels: [], refunds: [], returns: [] };

export async function readShownOrder(
  pool: Pool,
  query: { readonly tradeId: string; readonly buyerId?: string },
): Promise<ShownOrder | null> {
  const trade = await readTrade(pool, query);
  if (!trade) return null;
  return {
    ...trade,
    afterSale: trade.status === 'UNPAID' ? NOTHING : await readAfterSale(pool, trade.id),
    moves: sentencesOf(TRADE_MOVES[trade.status]),
    shopOrderMoves: Object.fromEntries(
      trade.shopOrders.map(({ id, status }) => [id, sentencesOf(SHOP_ORDER_MOVES[status])]),
    ),
  };
}
