/** tRPC's root: transformer, one error shape, and the procedures by who may call them. */
import { refuse } from '@holdfast/core/domain';
import { classifyDatabaseError, isDatabaseError } from '@holdfast/core/platform';
import { initTRPC } from '@trpc/server';
import superjson from 'superjson';
import type { Operator, Role } from '../auth/create-auth.ts';
import type { Context } from './context.ts';
import { describeError, Refused } from './failure.ts';

const t = initTRPC.context<Context>().create({
  transformer: superjson,
  errorFormatter({ shape, error, path, ctx }) {
    const { message, detail } = describeError(error);
    return {
      ...shape,
      message,
      data: { httpStatus: shape.data.httpStatus, path, requestId: ctx?.ids.requestId, ...detail },
    };
  },
});

export const router = t.router;

/**
 * A store that is away is said as BUSY, not as an error of ours (P33). A session that died under a query has changed
 * nothing; under a mutation nobody knows (P15).
 */
const sayBusy = t.middleware(async ({ next, type }) => {
  const result = await next();
  if (result.ok || result.error.code !== 'INTERNAL_SERVER_ERROR') return result;
  const { cause } = result.error;
  const meaning = classifyDatabaseError(cause);
  const isUnknown = meaning === 'unknown' && isDatabaseError(cause);
  if (isUnknown && type === 'mutation')
    throw new Refused(refuse('OUTCOME_UNKNOWN', 'We could not see whether this went through. Please look again.'));
  if (isUnknown || meaning === 'outage' || meaning === 'repeat')
    throw new Refused(refuse('BUSY', 'Very busy right now. Please try again in a moment.', { retryAfterMs: 1000 }));
  return result;
});

/** Anyone. */
export const openProcedure = t.procedure.use(sayBusy);

/** A guest with an id; one without gets it with this answer. */
export const buyerProcedure = openProcedure.use(({ ctx, next }) => next({ ctx: { ...ctx, buyerId: ctx.needBuyer() } }));

const RANK: Record<Role, number> = { viewer: 1, operator: 2, admin: 3 };

function operatorProcedureOf(least: Role) {
  return openProcedure.use(async ({ ctx, next }) => {
    const operator: Operator | undefined = await ctx.operator();
    if (!operator) throw new Refused(refuse('UNAUTHENTICATED', 'Please sign in.'));
    if (RANK[operator.role] < RANK[least]) throw new Refused(refuse('FORBIDDEN', `This needs the role ${least}.`));
    return next({ ctx: { ...ctx, signedIn: operator } });
  });
}

export const viewerProcedure = operatorProcedureOf('viewer');
export const operatorProcedure = operatorProcedureOf('operator');
