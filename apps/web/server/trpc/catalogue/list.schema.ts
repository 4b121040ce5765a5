import { CODE_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

export const listInput = z.object({ shopId: z.string().regex(CODE_PATTERN).optional() });
