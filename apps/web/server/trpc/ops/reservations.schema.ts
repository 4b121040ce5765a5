import { CODE_PATTERN, UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

const code = z.string().regex(CODE_PATTERN);
const uuid = z.string().regex(UUID_PATTERN, 'a lower-case uuid');
export const reservationsInput = z.object({
  status: z.enum(['PRE_DEDUCTED', 'CONFIRMED', 'RELEASED', 'EXPIRED']).optional(),
  shopId: code.optional(),
  skuId: code.optional(),
  tradeId: uuid.optional(),
  cursor: uuid.optional(),
  limit: z.number().int().min(1).max(200).default(60),
});
export const reservationInput = z.object({ reservationId: uuid });
