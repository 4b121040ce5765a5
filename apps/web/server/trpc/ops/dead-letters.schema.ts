import { z } from 'zod';
import { exactText, freeText } from '../free-text.schema.ts';

const why = freeText(500, 3, 'Please say why.');
const id = z.number().int().positive();

export const deadLettersInput = z.object({
  status: z.enum(['RETRYING', 'PARKED', 'DEAD', 'RESOLVED', 'DISCARDED']).optional(),
  fingerprint: exactText(400).optional(),
  /** Goes on below this id. */
  cursor: id.optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export const redriveLetterInput = z.object({ id, reason: why });
export const redriveGroupInput = z.object({ fingerprint: exactText(400, 1), reason: why });
export const editLetterInput = z.object({ id, reason: why, body: exactText(60_000, 2) });
export const discardLetterInput = z.object({ id, reason: why });
export const putBackEventsInput = z.object({ topic: exactText(200), key: exactText(200), reason: why });
export const askOrderAgainInput = z.object({ shopOrderId: z.uuid(), reason: why });
