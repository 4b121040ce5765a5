/** Reads and marks the one row that says which life of the gate is the present one (P9, P10). */
import type { Sql } from '../platform/index.ts';
import type { ServerIdentity } from './identity.ts';

export interface GateEpoch {
  readonly epoch: number;
  readonly open: boolean;
  /** The server it was opened on; undefined before the first opening. */
  readonly server: ServerIdentity | undefined;
  readonly closedReported: boolean;
  readonly closedReason: string | null;
  readonly clockOffsetMs: number;
}

export async function readEpoch(sql: Sql): Promise<GateEpoch> {
  const { rows } = await sql.query<{
    epoch: number;
    open: boolean;
    run_id: string | null;
    master_replid: string | null;
    reported: boolean;
    closed_reason: string | null;
    offset_ms: number;
  }>(
    `SELECT epoch, open, run_id, master_replid, closed_reported IS NOT NULL AS reported, closed_reason,
       ops.clock_offset_ms() AS offset_ms
     FROM tinystore_inventory.gate_epoch`,
  );
  const row = rows[0];
  if (!row) throw new Error('gate_epoch has no row');
  return {
    epoch: row.epoch,
    open: row.open,
    server: row.run_id && row.master_replid ? { runId: row.run_id, masterReplid: row.master_replid } : undefined,
    closedReported: row.reported,
    closedReason: row.closed_reason,
    clockOffsetMs: row.offset_ms,
  };
}

/** Says that epoch `epoch` is no longer to be trusted, so that the gatekeeper rebuilds (P21). First reason stays. */
export async function reportClosed(sql: Sql, epoch: number, reason: string): Promise<void> {
  await sql.query(
    `UPDATE tinystore_inventory.gate_epoch SET closed_reported = ops.clock_now(), closed_reason = $2,
       closed_since = coalesce(closed_since, ops.clock_now())
     WHERE epoch = $1 AND closed_reported IS NULL`,
    [epoch, reason],
  );
}
