import { z } from 'zod';
import { reason } from './reason.schema.ts';

export const incidentsInput = z.object({
  status: z.enum(['OPEN', 'CLOSED']).optional(),
  /** Goes on below this id. */
  cursor: z.number().int().positive().optional(),
  limit: z.number().int().min(1).max(200).default(100),
});

export const closeIncidentInput = z.object({ id: z.number().int().positive(), reason });
