import { openProcedure } from '../init.ts';

/** Who is signed in, or null. */
export const signedIn = openProcedure.query(async ({ ctx }) => (await ctx.operator()) ?? null);
