import { CODE_PATTERN, UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';
import { freeText } from '../free-text.schema.ts';

const code = z.string().regex(CODE_PATTERN, '1 to 64 of A-Z a-z 0-9 . _ -');
const uuid = z.string().regex(UUID_PATTERN, 'a lower-case uuid');
const reason = freeText(200, 3, 'say why, in a few words');
/** Units are judged by the core, which names the limit (C50). */
const change = z.object({ operationId: uuid, shopId: code, skuId: code, reason });

export const stockInput = z.object({ shopId: code, skuId: code });
export const unitsInput = change.extend({ quantity: z.number() });
export const recountInput = change.extend({ counted: z.number(), expectedVersion: z.number().int().min(1) });
export const importFileInput = z.object({
  fileName: freeText(120, 1),
  /** Within the request limit of 64 KB. */
  text: z.string().min(1).max(60_000, 'a file of at most 60 000 characters'),
  reason,
});
export const importInput = z.object({ importId: uuid });
