/**
 * Health of a process: each dependency asked with a time limit, with its latency. Shared by web and worker. The
 * checks are functions, so this file needs no client of its own.
 */
import type { Pool, Redis } from '../platform/index.ts';

export interface DependencyCheck {
  readonly name: string;
  /** Resolves when the dependency works; throws with the reason when it does not. */
  readonly check: () => Promise<unknown>;
  /** False: reported, but the process can still serve (DATABASE goods sell with the gate closed, P21). */
  readonly needed?: boolean;
}

export interface DependencyHealth {
  readonly name: string;
  readonly status: 'up' | 'down';
  readonly needed: boolean;
  readonly latencyMs: number;
  readonly reason?: string;
}

export interface Health {
  readonly status: 'up' | 'down';
  readonly dependencies: readonly DependencyHealth[];
}

const TIME_LIMIT_MS = 2000;

export async function checkDependencies(
  checks: readonly DependencyCheck[],
  timeLimitMs = TIME_LIMIT_MS,
): Promise<Health> {
  const dependencies = await Promise.all(checks.map((check) => checkOne(check, timeLimitMs)));
  return { status: dependencies.every((d) => d.status === 'up' || !d.needed) ? 'up' : 'down', dependencies };
}

async function checkOne(
  { name, check, needed = true }: DependencyCheck,
  timeLimitMs: number,
): Promise<DependencyHealth> {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${timeLimitMs} ms`)), timeLimitMs);
  });
  const took = () => Math.round((performance.now() - startedAt) * 10) / 10;
  try {
    await Promise.race([check(), limit]);
    return { name, status: 'up', needed, latencyMs: took() };
  } catch (error) {
    return {
      name,
      status: 'down',
      needed,
      latencyMs: took(),
      reason: error instanceof Error ? error.message || error.name : String(error),
    };
  } finally {
    clearTimeout(timer);
  }
}

export function checkPostgres(pool: Pool): DependencyCheck {
  return { name: 'postgresql', check: () => pool.query('SELECT 1') };
}

export function checkRedis(redis: Redis): DependencyCheck {
  return { name: 'redis', check: () => redis.ping() };
}

/** The gate being closed is worth knowing but no reason to take the process out of service (P21). */
export function checkGate(pool: Pool): DependencyCheck {
  return {
    name: 'gate',
    needed: false,
    check: async () => {
      const { rows } = await pool.query<{ open: boolean; reason: string | null }>(
        `SELECT open AND closed_reported IS NULL AS open, closed_reason AS reason FROM tinystore_inventory.gate_epoch`,
      );
      if (!rows[0]?.open) throw new Error(`closed${rows[0]?.reason ? `: ${rows[0].reason}` : ''}`);
    },
  };
}

export interface HealthReply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** The routes of the internal port; `undefined` for any other path. */
export async function answerHealth(
  path: string,
  checks: readonly DependencyCheck[],
  registry: { readonly contentType: string; metrics(): Promise<string> },
): Promise<HealthReply | undefined> {
  const json = (status: number, body: unknown) => ({
    status,
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(body),
  });
  if (path === '/healthz') return json(200, { status: 'up' });
  if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
  if (path !== '/readyz') return undefined;
  const health = await checkDependencies(checks);
  return json(health.status === 'up' ? 200 : 503, health);
}
