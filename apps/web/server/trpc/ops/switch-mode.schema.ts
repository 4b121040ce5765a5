import { CODE_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';
import { freeText } from '../free-text.schema.ts';

const code = z.string().regex(CODE_PATTERN);
export const switchModeInput = z.object({
  shopId: code,
  skuId: code,
  to: z.enum(['REDIS', 'DATABASE']),
  /** Stands in the audit log beside the operator's name. */
  reason: freeText(500, 3, 'say why'),
});
