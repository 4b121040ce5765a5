import { UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

export const tradeInput = z.object({ tradeId: z.string().regex(UUID_PATTERN, 'a lower-case uuid') });
