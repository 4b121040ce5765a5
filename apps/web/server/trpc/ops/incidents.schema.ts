import { z } from 'zod';

export const incidentsInput = z.object({
  status: z.enum(['OPEN', 'CLOSED']).optional(),
  beforeId: z.number().int().positive().optional(),
});
