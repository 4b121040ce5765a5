/**
 * Ids whose take or commit ended without an answer (P15, P17, P22). Under the lock that the commit takes too, either the
 * order is there, or its ids can never become one and their units go back.
 */
import { type Failure, refuse } from '../domain/index.ts';
import type { Hold } from '../gate/index.ts';
import type { Placed } from './attempt-memory.ts';
import { answerKnown, findOrAbandon } from './find-by-key.ts';
import type { PlaceOrderDeps } from './order-desk.ts';

/** @returns the order, or OUTCOME_UNKNOWN while the database does not say; undefined once the ids are abandoned. */
export async function settleOpenIds(
  deps: PlaceOrderDeps,
  order: { readonly buyerId: string; readonly key: string; readonly fingerprint: string },
  ids: readonly Hold[],
): Promise<Placed | Failure | undefined> {
  try {
    const known = await findOrAbandon(deps.pool, order.buyerId, order.key, ids);
    if (known) {
      deps.waker.wake('outbox');
      return answerKnown(known, order.fingerprint);
    }
  } catch (error) {
    deps.log.warn({ error: String(error) }, 'order outcome not known yet');
    return refuse('OUTCOME_UNKNOWN', 'We could not tell whether your order went through. Please try again.', {
      retryAfterMs: 1000,
    });
  }
  await deps.gate.giveBack(ids);
  return undefined;
}
