import { CODE_PATTERN, MAX_UNITS_A_LINE, UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';
import { freeText } from '../free-text.schema.ts';

const id = z.string().regex(UUID_PATTERN, 'a lower-case uuid');

export const requestReturnInput = z.object({
  tradeId: id,
  shopOrderId: id,
  skuId: z.string().regex(CODE_PATTERN),
  quantity: z.number().int().min(1).max(MAX_UNITS_A_LINE),
  reason: freeText(500, 1),
  key: z.string().min(8).max(64),
});
