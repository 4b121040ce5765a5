/** What every action of an operator on an order says: why (invariant 11). */
import { freeText } from '../free-text.schema.ts';

export const reason = freeText(500, 1, 'say why');
