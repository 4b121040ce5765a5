import { UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';
import { reason } from './reason.schema.ts';

export const answerReturnInput = z.object({
  returnItemId: z.string().regex(UUID_PATTERN, 'a lower-case uuid'),
  answer: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('receive'), units: z.enum(['RESTOCK', 'NO_RESTOCK', 'DAMAGED']) }),
    z.object({ kind: z.literal('refuse') }),
  ]),
  reason,
});
