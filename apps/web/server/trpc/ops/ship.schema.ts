import { UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';
import { freeText } from '../free-text.schema.ts';

const text = freeText(100);

export const shipInput = z.object({
  shopOrderId: z.string().regex(UUID_PATTERN, 'a lower-case uuid'),
  carrier: text.optional(),
  trackingCode: text.optional(),
});
