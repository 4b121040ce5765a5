import { CODE_PATTERN, UUID_PATTERN } from '@holdfast/core/domain';
import { LOG_CAUSES, LOG_KINDS } from '@holdfast/core/ops';
import { z } from 'zod';
import { reason } from './reason.schema.ts';

const code = z.string().regex(CODE_PATTERN);
/** Everything, one shop, or one SKU of it. */
const scope = {
  shopId: code.optional(),
  skuId: code.optional(),
};
const namesShop = (given: { shopId?: string | undefined; skuId?: string | undefined }) =>
  given.skuId === undefined || given.shopId !== undefined;
const SHOP_TOO = { message: 'name the shop of the SKU', path: ['shopId'] };

export const checkInput = z.object(scope).refine(namesShop, SHOP_TOO);
export const runInput = z.object({ ...scope, reason }).refine(namesShop, SHOP_TOO);
export const reconcileLogInput = z.object({
  kind: z.enum(LOG_KINDS).optional(),
  ...scope,
  cause: z.enum(LOG_CAUSES).optional(),
  runId: z.string().regex(UUID_PATTERN).optional(),
  cursor: z.number().int().min(1).optional(),
  limit: z.number().int().min(1).max(100).default(50),
});
export type GivenScope = z.infer<typeof checkInput>;

export function scopeOf({ shopId, skuId }: GivenScope) {
  return { ...(shopId && { shopId }), ...(skuId && { skuIds: [skuId] }) };
}
