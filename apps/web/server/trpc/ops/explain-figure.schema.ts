import { CODE_PATTERN } from '@holdfast/core/domain';
import { FIGURE_NAMES, ROW_LISTS } from '@holdfast/core/reconcile';
import { z } from 'zod';

const sku = { shopId: z.string().regex(CODE_PATTERN), skuId: z.string().regex(CODE_PATTERN) };
/** A past instant; now when left out. */
const at = z.date().optional();

export const explainInput = z.object({ ...sku, figure: z.enum(FIGURE_NAMES), at });
export const figureRowsInput = z.object({
  ...sku,
  list: z.enum(ROW_LISTS),
  at,
  cursor: z
    .string()
    .max(40)
    .regex(/^[0-9a-f-]+$/)
    .optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
