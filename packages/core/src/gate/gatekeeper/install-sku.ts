/** Sends one SKU's load to the gate in pages (P10): pipelined, each page refused unless the one before went in. */
import { gateCapacity, gateDeducted } from '../../domain/index.ts';
import type { Redis } from '../../platform/index.ts';
import { type SkuRef, skuKeys } from '../keys.ts';
import type { LiveHold } from '../live-holds.ts';
import { memberOf } from '../redis-gate.ts';
import { decodeInstall, partsOf } from '../replies.ts';
import type { Scripts } from '../scripts.ts';

/** Holds in one page: about 1 ms of script time (C48). */
const HOLDS_A_PAGE = 500;

export interface SkuLoad extends SkuRef {
  readonly generation: number;
  readonly totalQuantity: number;
  readonly confirmedQuantity: number;
  readonly holds: readonly Pick<LiveHold, 'reservationId' | 'quantity' | 'heldAtMs'>[];
}

/**
 * D may be above T: orders that were over-admitted hold their units until the ledger refuses them (C09), and until
 * then nothing is free.
 * @returns true when every page went in; false when a newer (epoch, generation) stands there already.
 * @throws what the connection throws: the caller starts anew on another one.
 */
export async function installSku(redis: Redis, scripts: Scripts, load: SkuLoad): Promise<boolean> {
  const heldUnits = load.holds.reduce((units, hold) => units + hold.quantity, 0);
  const total = gateCapacity(load);
  const deducted = gateDeducted({ confirmedQuantity: load.confirmedQuantity, heldUnits });
  const keys = skuKeys(load);
  const pages = Math.max(1, Math.ceil(load.holds.length / HOLDS_A_PAGE));
  const replies = await Promise.all(
    Array.from({ length: pages }, (_, page) => {
      const part = load.holds.slice(page * HOLDS_A_PAGE, (page + 1) * HOLDS_A_PAGE);
      return redis.evalsha(
        scripts.install.sha,
        keys.length,
        ...keys,
        String(load.generation),
        String(total),
        String(deducted),
        page === 0 ? 'first' : 'next',
        page === pages - 1 ? 'last' : 'more',
        ...part.flatMap((hold) => [String(hold.heldAtMs), memberOf(hold)]),
      );
    }),
  );
  return replies.every((reply) => decodeInstall(partsOf(reply)));
}
