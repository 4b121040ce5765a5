import { CODE_PATTERN, MAX_UNITS_A_LINE } from '@holdfast/core/domain';
import { z } from 'zod';

const code = z.string().regex(CODE_PATTERN);
export const putInput = z.object({
  shopId: code,
  skuId: code,
  quantity: z.number().int('a whole number').min(1, 'at least 1').max(MAX_UNITS_A_LINE, `at most ${MAX_UNITS_A_LINE}`),
  /** `add` to what is in the cart, or `set` the quantity. */
  mode: z.enum(['add', 'set']).default('add'),
});
