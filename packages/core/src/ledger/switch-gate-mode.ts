/**
 * Moves a SKU between gate and ledger while it is being sold (P20). To DATABASE needs no Redis: under SWITCHING nothing is
 * sold, what the gate has admitted gets its rows by the RESERVE function, and from then on the ledger alone decides. To
 * REDIS is one step. A switch that stopped half-way is finished by the job gate.finish-switch, from any point.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, refuse } from '../domain/index.ts';
import { classifyDatabaseError, inTransaction, type Pool, repeatOnConflict, type Waker } from '../platform/index.ts';
import { recordReservations } from './record-reservations.ts';
import { findInFlight } from './sql/find-in-flight.ts';
import type { SkuKey } from './sum-by-sku.ts';

export type SwitchStopPoint = 'switch.begun' | 'switch.recorded' | 'switch.finished';

export interface SwitchDeps {
  readonly pool: Pool;
  readonly waker: Waker;
  readonly stopAt?: (point: SwitchStopPoint) => Promise<void>;
}

export interface SwitchMode extends SkuKey {
  readonly to: 'REDIS' | 'DATABASE';
  readonly actor: string;
  readonly reason: string;
}

type GateMode = 'REDIS' | 'DATABASE' | 'SWITCHING';
export type SwitchOutcome = { readonly kind: 'switched' | 'already'; readonly mode: GateMode } | Failure;

/** Audited with actor and reason. `mode` SWITCHING: begun, and left to the job to finish. */
export async function switchGateMode(deps: SwitchDeps, command: SwitchMode): Promise<SwitchOutcome> {
  const { shopId, skuId, to, actor, reason } = command;
  if (reason.trim() === '') return refuse('INVALID_INPUT', 'Say why the mode is switched.', { field: 'reason' });
  const before = await orBusy(async () => {
    const { rows } = await deps.pool.query<{ mode: GateMode | null }>(
      'SELECT tinystore_inventory.begin_switch($1, $2, $3, $4, $5) AS mode',
      [shopId, skuId, to, actor, reason],
    );
    return rows[0]?.mode ?? null;
  });
  if (before === 'busy')
    return refuse('BUSY', 'The gate is busy; please try again in a moment.', { retryAfterMs: 1000 });
  if (before === null) return refuse('UNKNOWN_SKU', `There is no stock of ${skuId} in ${shopId}.`);
  if (before === to) return { kind: 'already', mode: to };
  await deps.stopAt?.('switch.begun');
  const mode = to === 'DATABASE' ? await finishSwitch(deps, command) : to;
  await deps.stopAt?.('switch.finished');
  deps.waker.wake('effects');
  return { kind: 'switched', mode };
}

const ROUNDS = 20;
const WAIT_MS = 25;

/** Ends a switch to DATABASE that has begun, from whatever point. Returns the mode that the SKU has then. */
export async function finishSwitch(deps: SwitchDeps, sku: SkuKey): Promise<GateMode> {
  let mode: GateMode = 'SWITCHING';
  for (let round = 0; round < ROUNDS && mode === 'SWITCHING'; round++) {
    if (round > 0) await sleep(WAIT_MS * round);
    await recordInFlight(deps.pool, sku);
    await deps.stopAt?.('switch.recorded');
    const after = await orBusy(async () => {
      const { rows } = await deps.pool.query<{ mode: GateMode | null }>(
        'SELECT tinystore_inventory.finish_switch($1, $2) AS mode',
        [sku.shopId, sku.skuId],
      );
      return rows[0]?.mode ?? null;
    });
    if (after !== 'busy' && after !== null) mode = after;
  }
  deps.waker.wake('outbox');
  return mode;
}

const ORDERS_A_PAGE = 200;
const MAX_PAGES = 1000;

/** Lines that were committed and are still on their way to the ledger; no new ones come while the row says SWITCHING. */
async function recordInFlight(pool: Pool, sku: SkuKey): Promise<void> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const recorded = await repeatOnConflict(() =>
      inTransaction(pool, async (tx) => {
        const orders = await findInFlight(tx, sku, ORDERS_A_PAGE);
        if (orders.length > 0) await recordReservations(tx, orders);
        return orders.length;
      }),
    );
    if (recorded === 0) return;
  }
}

/** `busy`: the gate lock was not to be had within half a second; nothing happened. */
async function orBusy<T>(work: () => Promise<T>): Promise<T | 'busy'> {
  try {
    return await work();
  } catch (error) {
    if (classifyDatabaseError(error) === 'repeat') return 'busy';
    throw error;
  }
}
