import { z } from 'zod';

/** What the overview says of a reconcile run, read from its row in the log. */
export const lastRunSummary = z.object({
  outcome: z.enum(['complete', 'cut', 'closed']),
  skus: z.number(),
  judged: z.number(),
  differing: z.number(),
  unexplained: z.number(),
});
