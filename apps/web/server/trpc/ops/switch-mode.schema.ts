import { CODE_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

const code = z.string().regex(CODE_PATTERN);
export const switchModeInput = z.object({
  shopId: code,
  skuId: code,
  to: z.enum(['REDIS', 'DATABASE']),
  /** Stands in the audit log beside the operator's name. */
  reason: z.string().trim().min(3, 'say why').max(500),
});
