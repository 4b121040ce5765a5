/** Shapes of the procedures' answers, as the shop's parts pass them on. */
import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../server/trpc/router.ts';

type Outputs = inferRouterOutputs<AppRouter>;
export type Product = Outputs['catalogue']['product'];
export type Shelf = Outputs['catalogue']['list'][number];
export type Cart = Outputs['cart']['read'];
export type CartLine = Cart['lines'][number];
export type Order = Outputs['order']['read'];
export type OrderStatus = Order['status'];
export type OrderLine = Order['shopOrders'][number]['lines'][number];
export type Payment = Outputs['order']['payment'];
