/** The gate's part of one attempt: what is taken there, shop by shop, and what a refusal means for the buyer. */
import { type Failure, type LineLeft, refuse } from '../domain/index.ts';
import type { Gate, Hold, TakeOutcome } from '../gate/index.ts';
import { type AttemptLine, isAtGate, linesOf, type OrderAttempt } from './build-order.ts';

export interface Retry {
  readonly kind: 'retry';
  readonly reason: 'GATE_CLOSED' | 'STALE_EPOCH' | 'BUSY' | 'OTHER_MODE';
}

export type TakeAll =
  /** `epoch`: undefined when no line is at the gate. */
  | { readonly kind: 'taken'; readonly epoch: number | undefined; readonly generations: Map<string, number> }
  | { readonly kind: 'unknown' }
  | Failure
  | Retry;

/** Once a shop, in sorted order, all under one epoch; a later refusal gives back the takes known to have succeeded. */
export async function takeAll(gate: Gate, attempt: OrderAttempt): Promise<TakeAll> {
  const generations = new Map<string, number>();
  const known: Hold[] = [];
  let epoch: number | undefined;
  // A switch is under way: nobody sells these units until it is done (P20).
  if (linesOf(attempt).some((line) => line.gateMode === 'SWITCHING')) return { kind: 'retry', reason: 'OTHER_MODE' };
  for (const { lines: all } of attempt.shopOrders) {
    const lines = all.filter(isAtGate);
    if (lines.length === 0) continue;
    const outcome = await gate.take(lines);
    // The earlier takes stay with the unknown one: all ids of the attempt share one fate.
    if (outcome.kind === 'unknown') return outcome;
    if (outcome.kind === 'taken') {
      known.push(...lines);
      for (const [i, line] of lines.entries()) generations.set(line.reservationId, outcome.generations[i] ?? -1);
      epoch ??= outcome.epoch;
      if (epoch === outcome.epoch) continue;
    }
    if (known.length > 0) await gate.giveBack(known);
    return outcome.kind === 'taken' ? { kind: 'retry', reason: 'STALE_EPOCH' } : refusalOf(outcome, lines);
  }
  return { kind: 'taken', epoch, generations };
}

function refusalOf(
  outcome: Exclude<TakeOutcome, { kind: 'taken' | 'unknown' }>,
  lines: readonly AttemptLine[],
): Failure | Retry {
  if (outcome.kind === 'retry') return outcome;
  if (outcome.kind === 'unknown-sku')
    return refuse('UNKNOWN_SKU', `${lines[outcome.index]?.name ?? 'This item'} is not for sale`, { field: 'lines' });
  const left = lines.map(({ shopId, skuId, quantity: wanted }, i) => ({
    shopId,
    skuId,
    wanted,
    left: outcome.left[i] ?? 0,
  }));
  return soldOut(
    left.filter((line) => line.left < line.wanted),
    lines,
  );
}

/** Names each short line and what is left of it. */
export function soldOut(short: readonly LineLeft[], lines: readonly AttemptLine[]): Failure {
  const names = short.map((line) => {
    const name = nameOf(line, lines);
    return line.left === 0 ? `${name} is sold out` : `only ${line.left} of ${name} left`;
  });
  return refuse('SOLD_OUT', names.join('; '), { lines: short });
}

export function nameOf({ shopId, skuId }: Pick<LineLeft, 'shopId' | 'skuId'>, lines: readonly AttemptLine[]): string {
  return lines.find((line) => line.shopId === shopId && line.skuId === skuId)?.name ?? skuId;
}
