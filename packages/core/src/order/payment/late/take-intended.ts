/**
 * Takes the intended units at the gate, once a shop in sorted order, all under one epoch. Lines of SKUs in DATABASE
 * mode are reserved by the ledger in the fenced transaction and need no take. What was taken and is not used is given
 * back by the tombstones of its ids.
 */
import type { Gate, TakeOutcome } from '../../../gate/index.ts';
import type { IntendedLine } from './intend-holds.ts';

export type TakenUnits =
  | {
      readonly kind: 'taken';
      /** null when no line needed the gate. */
      readonly epoch: number | null;
      /** By reservation id. */
      readonly generations: ReadonlyMap<string, number>;
    }
  | { readonly kind: 'sold-out' }
  | { readonly kind: 'again' };

export async function takeIntended(gate: Gate, lines: readonly IntendedLine[]): Promise<TakenUnits> {
  const byShop = Map.groupBy(
    lines.filter((line) => line.gateMode === 'REDIS'),
    (line) => line.shopId,
  );
  const generations = new Map<string, number>();
  let epoch: number | null = null;
  for (const shopId of [...byShop.keys()].sort()) {
    const own = byShop.get(shopId) ?? [];
    const outcome: TakeOutcome = await gate.take(own);
    if (outcome.kind === 'sold-out' || outcome.kind === 'unknown-sku') return { kind: 'sold-out' };
    // A lost reply is no answer either: the next attempt has ids of its own (P13, P15).
    if (outcome.kind !== 'taken') return { kind: 'again' };
    for (const [i, line] of own.entries()) generations.set(line.reservationId, outcome.generations[i] ?? -1);
    epoch ??= outcome.epoch;
    if (epoch !== outcome.epoch) return { kind: 'again' };
  }
  return { kind: 'taken', epoch, generations };
}
