/** Door of the cart: a buyer's wishes. It holds no units; only an order takes stock. */
export { ensureBuyer } from './ensure-buyer.ts';
export { type PutCartLine, putCartLine } from './put-cart-line.ts';
export { type CartLineView, type CartView, readCart } from './read-cart.ts';
export { removeCartLine } from './remove-cart-line.ts';
