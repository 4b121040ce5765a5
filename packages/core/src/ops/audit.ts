/** The audit log: who did what to what, why, and how it looked before and after (invariant 11). Append-only. */
import type { Sql } from '../platform/index.ts';

export interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly reason: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Written in the transaction of the action itself, so neither exists without the other. */
export async function appendAudit(tx: Sql, entry: AuditEntry): Promise<void> {
  await tx.query(
    'INSERT INTO ops.audit_log (actor, action, target, reason, before, after) VALUES ($1, $2, $3, $4, $5, $6)',
    [
      entry.actor,
      entry.action,
      entry.target,
      entry.reason,
      JSON.stringify(entry.before ?? null),
      JSON.stringify(entry.after ?? null),
    ],
  );
}
