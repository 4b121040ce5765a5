/** All procedures. The type is what pages and the browser know of the server. */
import { cartRouter } from './cart/router.ts';
import { catalogueRouter } from './catalogue/router.ts';
import { router } from './init.ts';
import { opsRouter } from './ops/router.ts';
import { orderRouter } from './order/router.ts';

export const appRouter = router({ catalogue: catalogueRouter, cart: cartRouter, order: orderRouter, ops: opsRouter });
export type AppRouter = typeof appRouter;
