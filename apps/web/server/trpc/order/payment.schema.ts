import { UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

export const paymentInput = z.object({ intentId: z.string().regex(UUID_PATTERN, 'a lower-case uuid') });
