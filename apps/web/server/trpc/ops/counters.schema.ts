import { CODE_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

const code = z.string().regex(CODE_PATTERN);
export const countersInput = z.object({
  shopId: code.optional(),
  driftedOnly: z.boolean().default(false),
  /** Goes on after this SKU. */
  cursor: z.object({ shopId: code, skuId: code }).optional(),
  limit: z.number().int().min(1).max(200).default(100),
});
