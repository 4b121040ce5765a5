/** Door of the catalogue: what is for sale, and for how much. */
export { listProducts, listShops, type ShopCard } from './list-products.ts';
export type { ProductView, SkuView } from './product-view.ts';
export { readProduct } from './read-product.ts';
export { readStock, type StockLine } from './read-stock.ts';
