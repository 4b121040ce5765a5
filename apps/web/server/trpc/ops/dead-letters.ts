import { groupLetters, listLetters } from '@holdfast/core/ops';
import { viewerProcedure } from '../init.ts';
import { deadLettersInput } from './dead-letters.schema.ts';

/** Failing messages, newest first; everything open unless a state is asked for. */
export const deadLetters = viewerProcedure.input(deadLettersInput).query(async ({ ctx, input }) => {
  const { status, fingerprint, cursor, limit } = input;
  const letters = await listLetters(ctx.deps.readPool, {
    ...(status && { status }),
    ...(fingerprint && { fingerprint }),
    ...(cursor && { beforeId: cursor }),
    limit,
  });
  return { letters, next: letters.length === limit ? (letters.at(-1)?.id ?? null) : null };
});

/** Messages that were given up, by their cause. */
export const deadLetterGroups = viewerProcedure.query(({ ctx }) => groupLetters(ctx.deps.readPool));
