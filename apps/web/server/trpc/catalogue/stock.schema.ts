import { CODE_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

const code = z.string().regex(CODE_PATTERN);
export const MAX_STOCK_LINES = 200;
export const stockInput = z.object({ skus: z.array(z.object({ shopId: code, skuId: code })).max(MAX_STOCK_LINES) });
