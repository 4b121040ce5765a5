import { z } from 'zod';
import { reason } from './reason.schema.ts';

export const rebuildGateInput = z.object({
  /** Minted by the page: pressing twice, or again after a lost answer, asks once. */
  requestId: z.uuid(),
  /** Stands in the audit log beside the operator's name. */
  reason,
});
