import { UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

export const receiveInput = z.object({ shopOrderId: z.string().regex(UUID_PATTERN, 'a lower-case uuid') });
