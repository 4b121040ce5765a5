import { CODE_PATTERN, MAX_LINES_AN_ORDER, MAX_MINOR, MAX_UNITS_A_LINE, UUID_PATTERN } from '@holdfast/core/domain';
import { z } from 'zod';
import { tradeInput } from '../order/trade.schema.ts';
import { reason } from './reason.schema.ts';

const id = z.string().regex(UUID_PATTERN, 'a lower-case uuid');
const units = z.enum(['RESTOCK', 'NO_RESTOCK', 'DAMAGED']);

const line = z.object({
  shopOrderId: id,
  skuId: z.string().regex(CODE_PATTERN),
  quantity: z.number().int().min(0).max(MAX_UNITS_A_LINE),
  units,
  amountMinor: z.number().int().min(0).max(MAX_MINOR).optional(),
});

export const refundInput = tradeInput.extend({
  wish: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('lines'), lines: z.array(line).min(1).max(MAX_LINES_AN_ORDER) }),
    z.object({ kind: z.literal('rest'), units, shopOrderId: id.optional() }),
  ]),
  reason,
  key: z.string().min(8).max(64),
});
