import { router } from '../init.ts';
import { put } from './put.ts';
import { read } from './read.ts';
import { remove } from './remove.ts';

export const cartRouter = router({ read, put, remove });
