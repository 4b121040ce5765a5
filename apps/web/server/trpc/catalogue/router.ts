import { router } from '../init.ts';
import { list } from './list.ts';
import { product } from './product.ts';
import { stock } from './stock.ts';

export const catalogueRouter = router({ list, product, stock });
