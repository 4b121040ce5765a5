/**
 * An operator answers a return that the buyer asked for. Received: the units are booked, on sale again or not, and
 * their money goes back, all at once. Refused: nothing moves. Answered twice in the same way, it is success twice.
 */
import { type Failure, isRefused, type ReturnItemStatus, refuse } from '../../domain/index.ts';
import { appendAudit } from '../../ops/index.ts';
import type { Tx } from '../../platform/index.ts';
import { changeTrades, orBusy, type TradeDeps } from '../trade/change-trades.ts';
import { lockTrade } from '../trade/lock-trade.ts';
import { decideLines, type ReturnedUnits } from './decide-refund.ts';
import { lockLines } from './lock-lines.ts';
import { takeBack } from './take-back.ts';

export interface AnswerReturn {
  readonly returnItemId: string;
  readonly answer: { readonly kind: 'receive'; readonly units: ReturnedUnits } | { readonly kind: 'refuse' };
  readonly by: { readonly name: string; readonly reason: string };
}
export interface ReturnAnswered {
  readonly kind: 'answered';
  readonly status: ReturnItemStatus;
}

interface Item {
  readonly tradeId: string;
  readonly shopOrderId: string;
  readonly skuId: string;
  readonly quantity: number;
  readonly status: ReturnItemStatus;
}

export async function answerReturn(deps: TradeDeps, command: AnswerReturn): Promise<ReturnAnswered | Failure> {
  if (command.by.reason.trim() === '') return refuse('INVALID_INPUT', 'Say why.', { field: 'reason' });
  return orBusy(() =>
    changeTrades(deps, async (tx) => {
      const { returnItemId, answer } = command;
      // First only to learn whose trade it is: the state is read again under the trade's lock (P12, P24).
      const seen = await readItem(tx, returnItemId);
      const trade = seen && (await lockTrade(tx, seen.tradeId));
      const item = trade && (await readItem(tx, returnItemId));
      if (!item) return refuse('NOT_FOUND', 'There is no such return.');
      const received = item.status === 'RECEIVED' || item.status === 'REFUNDED';
      if (item.status !== 'REQUESTED')
        return received === (answer.kind === 'receive')
          ? { kind: 'answered', status: item.status }
          : refuse('LINE_STATE', `This return is ${item.status.toLowerCase()} already.`, { tradeId: item.tradeId });
      return answer.kind === 'refuse' ? refuseItem(tx, item, command) : receiveItem(tx, item, answer.units, command);
    }),
  );
}

async function refuseItem(tx: Tx, item: Item, { returnItemId, by }: AnswerReturn): Promise<ReturnAnswered> {
  await tx.query(
    `UPDATE tinystore_order.return_item SET status = 'REFUSED', answer = $2, answered_by = $3, updated_at = ops.clock_now()
     WHERE id = $1 AND status = 'REQUESTED'`,
    [returnItemId, by.reason, by.name],
  );
  await note(tx, item, by, { returnItemId, status: 'REFUSED' });
  return { kind: 'answered', status: 'REFUSED' };
}

async function receiveItem(
  tx: Tx,
  item: Item,
  units: ReturnedUnits,
  { returnItemId, by }: AnswerReturn,
): Promise<ReturnAnswered | Failure> {
  const decision = decideLines(await lockLines(tx, item.tradeId), [{ ...item, units }]);
  if (isRefused(decision)) return { ...decision, tradeId: item.tradeId };
  const taken = await takeBack(tx, {
    tradeId: item.tradeId,
    parts: decision.parts,
    actor: by.name,
    reason: by.reason,
    key: `return:${returnItemId}`,
    requested: new Map(decision.parts.map((part) => [part, returnItemId])),
  });
  if (isRefused(taken)) return taken;
  await note(tx, item, by, { returnItemId, status: 'RECEIVED', units, refunds: taken.refunds });
  const after = await readItem(tx, returnItemId);
  return { kind: 'answered', status: after?.status ?? 'RECEIVED' };
}

function note(tx: Tx, item: Item, by: AnswerReturn['by'], after: object): Promise<void> {
  const before = { status: item.status, skuId: item.skuId, quantity: item.quantity };
  return appendAudit(tx, {
    actor: by.name,
    action: 'order.return',
    target: item.tradeId,
    reason: by.reason,
    before,
    after,
  });
}

async function readItem(tx: Tx, id: string): Promise<Item | undefined> {
  const { rows } = await tx.query<Item>(
    `SELECT trade_id AS "tradeId", shop_order_id AS "shopOrderId", sku_id AS "skuId", quantity, status
     FROM tinystore_order.return_item WHERE id = $1`,
    [id],
  );
  return rows[0];
}
