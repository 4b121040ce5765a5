/** Which Redis server, in which life, is behind a connection (P9). */
import type { Redis } from '../platform/index.ts';

export interface ServerIdentity {
  readonly runId: string;
  readonly masterReplid: string;
}

/** @throws what the connection throws; an answer without both ids is an error, never "unchanged". */
export async function readIdentity(redis: Redis): Promise<ServerIdentity> {
  const info = await redis.info();
  const runId = /^run_id:(\w+)/m.exec(info)?.[1];
  const masterReplid = /^master_replid:(\w+)/m.exec(info)?.[1];
  const role = /^role:(\w+)/m.exec(info)?.[1];
  if (!runId || !masterReplid || role !== 'master')
    throw new Error(`not a primary that can carry the gate (role ${role ?? 'unknown'})`);
  return { runId, masterReplid };
}

export function sameIdentity(a: ServerIdentity, b: ServerIdentity): boolean {
  return a.runId === b.runId && a.masterReplid === b.masterReplid;
}
