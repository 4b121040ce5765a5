/** Text as the database can keep it: neither a NUL nor half a surrogate pair. */
import { z } from 'zod';

const isStorable = (value: string) => value.isWellFormed() && !value.includes('\0');

/** Taken as it is: a name that something else has to equal. */
export const exactText = (most: number, least = 0) =>
  z.string().min(least).max(most).refine(isStorable, 'readable text');

/** What people write, without the blanks around it. */
export const freeText = (most: number, least = 0, why?: string) =>
  z.string().trim().min(least, why).max(most).refine(isStorable, 'readable text');
