import { z } from 'zod';
import { tradeInput } from '../order/trade.schema.ts';
import { reason } from './reason.schema.ts';

export const cancelOrderInput = tradeInput.extend({
  reason,
  ifPaid: z.enum(['refuse', 'close-and-refund']).default('refuse'),
});
