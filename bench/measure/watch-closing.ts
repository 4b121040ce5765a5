/** Watches the epoch row while the gate is closed and opened again. Times are the database's. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '@holdfast/core/platform';

export interface Closing {
  readonly epoch: number;
  /** A look begun when the new epoch had already been seen. */
  readonly closedAt: Date;
  readonly openedAt: Date;
  /** From the last look before the closing, so rather too long than too short. */
  readonly seconds: number;
}

interface Look {
  epoch: number;
  open: boolean;
  opened_at: Date;
  at: Date;
}

const EVERY_MS = 5;
const LIMIT_MS = 60_000;

/** Resolves once an epoch later than `before` is open. */
export async function watchClosing(pool: Pool, before: number): Promise<Closing> {
  const deadline = performance.now() + LIMIT_MS;
  let open = await look(pool);
  let closed: Look | undefined;
  while (performance.now() < deadline) {
    const now = await look(pool);
    if (closed && now.open)
      return {
        epoch: now.epoch,
        closedAt: closed.at,
        openedAt: now.opened_at,
        seconds: (now.opened_at.getTime() - open.at.getTime()) / 1000,
      };
    if (now.epoch === before) open = now;
    else closed ??= await look(pool);
    await sleep(EVERY_MS);
  }
  throw new Error(`the gate was not closed and opened again within ${LIMIT_MS} ms`);
}

async function look(pool: Pool): Promise<Look> {
  const { rows } = await pool.query<Look>(
    'SELECT epoch, open, opened_at, ops.clock_now() AS at FROM tinystore_inventory.gate_epoch',
  );
  const [row] = rows;
  if (!row) throw new Error('gate_epoch has no row');
  return row;
}
