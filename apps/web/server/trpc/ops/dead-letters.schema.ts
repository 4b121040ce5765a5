import { z } from 'zod';

const why = z.string().trim().min(3, 'Please say why.').max(500);
const id = z.number().int().positive();

export const deadLettersInput = z.object({
  status: z.enum(['RETRYING', 'PARKED', 'DEAD', 'RESOLVED', 'DISCARDED']).optional(),
  fingerprint: z.string().max(400).optional(),
  /** Goes on below this id. */
  cursor: id.optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export const redriveLetterInput = z.object({ id, reason: why });
export const redriveGroupInput = z.object({ fingerprint: z.string().min(1).max(400), reason: why });
export const editLetterInput = z.object({ id, reason: why, body: z.string().min(2).max(60_000) });
export const discardLetterInput = z.object({ id, reason: why });
export const putBackEventsInput = z.object({ topic: z.string().max(200), key: z.string().max(200), reason: why });
export const askOrderAgainInput = z.object({ shopOrderId: z.uuid(), reason: why });
