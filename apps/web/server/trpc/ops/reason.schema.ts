/** What every action of an operator on an order says: why (invariant 11). */
import { z } from 'zod';

export const reason = z.string().trim().min(1, 'say why').max(500);
