/** Door of the order stage: catalogue, cart, order, payment, ends and reads. */

export { applyInventoryEvents } from './apply-inventory-events.ts';
export { applyTradeEvents } from './apply-trade-events.ts';
export { type AskedAgain, askAgain } from './ask-again.ts';
export type { Placed } from './attempt-memory.ts';
export { type Canceller, cancelOrder } from './cancel-order.ts';
export {
  type CartLineView,
  type CartView,
  ensureBuyer,
  type PutCartLine,
  putCartLine,
  readCart,
  removeCartLine,
} from './cart/index.ts';
export {
  listProducts,
  listShops,
  type ProductView,
  readProduct,
  readStock,
  type ShopCard,
  type SkuView,
  type StockLine,
} from './catalogue/index.ts';
export { type EndedByTime, endByTime } from './end-by-time.ts';
export { SHOP_ORDER_MOVES, type ShopOrderMove, sentencesOf, TRADE_MOVES, type TradeMove } from './moves.ts';
export { createPlaceOrderDeps, type OrderDeskParts, type PlaceOrderDeps } from './order-desk.ts';
export { type PlaceOrderInput, parsePlaceOrder, placeOrderInput, shipToInput } from './order-input.ts';
export { type ComparedIntents, compareIntents } from './payment/compare-intents.ts';
export { type ConfiguredProvider, createProvider } from './payment/create-provider.ts';
export type { NoticeDelivery } from './payment/demo/deliver-notices.ts';
export { createDemoProvider, type DemoAction, type DemoProvider } from './payment/demo/demo-provider.ts';
export { type ExtendPaymentDeps, extendPayment, type PaymentExtended } from './payment/extend-payment.ts';
export { judgeNotices } from './payment/judge-notices.ts';
export { type LateMoneyDeps, settleLateMoney } from './payment/late/settle-late-money.ts';
export { matchUnmatched } from './payment/match-unmatched.ts';
export type { PaymentProvider } from './payment/provider.ts';
export { type PaymentView, readPayment } from './payment/read-payment.ts';
export { type NoticeReceipt, type ReceiveNoticeDeps, receiveNotice } from './payment/receive-notice.ts';
export { type PaymentStarted, type StartPaymentDeps, startPayment } from './payment/start-payment.ts';
export { type PlaceOrderCommand, type PlaceOrderResult, placeOrder } from './place-order.ts';
export { applyPromotionEvents } from './promotion/apply-promotion-events.ts';
export { type PromotionTimeOut, type TimedOutPromotions, timeOutPromotions } from './promotion/time-out-promotions.ts';
export { useCoupons } from './promotion/use-coupons.ts';
export {
  type LatePaymentView,
  listTrades,
  readTrade,
  type ShopOrderView,
  type ShownTradeStatus,
  type TradeLineView,
  type TradeSummary,
  type TradeView,
} from './read-trade.ts';
export { type AnswerReturn, answerReturn, type ReturnAnswered } from './refund/answer-return.ts';
export type { LineWish, ReturnedUnits } from './refund/decide-refund.ts';
export { type AfterSaleView, type RefundView, type ReturnView, readAfterSale } from './refund/read-after-sale.ts';
export { type RefundOrder, type RefundWish, refundOrder } from './refund/refund-order.ts';
export { type RefundCause, type RefundRequest, requestRefund } from './refund/request-refund.ts';
export { type RequestReturn, type ReturnRequested, requestReturn } from './refund/request-return.ts';
export { type SendRefundsDeps, type SentRefunds, sendRefunds } from './refund/send-refunds.ts';
export type { TakenBack } from './refund/take-back.ts';
export { type AutoReceived, autoReceive } from './shipping/auto-receive.ts';
export { receiveOrder } from './shipping/receive-order.ts';
export { type ShipOrder, shipOrder } from './shipping/ship-order.ts';
export type { TradeDeps } from './trade/change-trades.ts';
