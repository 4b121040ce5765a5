/** Which Redis server, in which life, is behind a connection (P9). */
import type { Redis } from '../platform/index.ts';

export interface ServerIdentity {
  readonly runId: string;
  readonly masterReplid: string;
}

/** @throws what the connection throws; an answer without both ids is an error, never "unchanged". */
export async function readIdentity(redis: Redis): Promise<ServerIdentity | 'no primary'> {
  const info = await redis.info();
  const runId = /^run_id:(\w+)/m.exec(info)?.[1];
  const masterReplid = /^master_replid:(\w+)/m.exec(info)?.[1];
  if (!runId || !masterReplid) throw new Error('the server does not say who it is');
  return /^role:master/m.test(info) ? { runId, masterReplid } : 'no primary';
}

/** @throws when the server is a replica too */
export async function readPrimary(redis: Redis): Promise<ServerIdentity> {
  const found = await readIdentity(redis);
  if (found === 'no primary') throw new Error('this Redis server is a replica; the gate needs the primary');
  return found;
}

export function sameIdentity(a: ServerIdentity, b: ServerIdentity): boolean {
  return a.runId === b.runId && a.masterReplid === b.masterReplid;
}
