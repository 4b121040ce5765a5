import { CODE_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

export const productInput = z.object({ productId: z.string().regex(CODE_PATTERN) });
