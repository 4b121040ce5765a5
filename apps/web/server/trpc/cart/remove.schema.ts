import { CODE_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';

const code = z.string().regex(CODE_PATTERN);
export const removeInput = z.object({ shopId: code, skuId: code });
