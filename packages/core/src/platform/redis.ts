/**
 * Redis connections. `openRedis` is for plain keys, wake-ups and BullMQ; the gate opens its own through
 * `openGateRedis`, which never queues offline and never sends a command twice (P7).
 */
import { Redis, type RedisOptions } from 'ioredis';

export type { Redis } from 'ioredis';

/** 30 to 625 ms: growing, and with jitter, so that the processes do not all come back in the same moment. */
const backOff = (attempt: number) =>
  Math.round(Math.min(20 * 2 ** Math.min(attempt, 6), 500) * (0.75 + Math.random() / 2));

/** Replies as RESP2 gives them; the type says so, for the client's constructor asks. */
type Settings = Omit<RedisOptions, 'replyMapping'>;

function open(url: string, name: string, options: Settings): Redis {
  const common: Settings = {
    connectionName: name,
    retryStrategy: backOff,
    connectTimeout: 2000,
  };
  const redis = new Redis(url, { ...common, ...options });
  // A lost connection is seen by the commands that fail; the event itself must not end the process.
  redis.on('error', () => undefined);
  return redis;
}

/**
 * For BullMQ and subscriptions: waits for Redis for as long as it takes. What was sent and not answered when the
 * connection broke is sent again: without that ioredis never settles it, and whoever waits for it waits for ever.
 */
export function openRedis(url: string, name: string): Redis {
  return open(url, name, { maxRetriesPerRequest: null, autoResendUnfulfilledCommands: true });
}

/** For requests: fails at once when Redis is away, and within `commandTimeoutMs` when it does not answer. */
export function openGateRedis(url: string, name: string, commandTimeoutMs: number): Redis {
  return open(url, name, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: commandTimeoutMs,
    enableAutoPipelining: true,
  });
}

/** Raised by `assertRedisFits` when the server cannot carry the gate (P41). */
export class RedisUnfit extends Error {
  override readonly name = 'RedisUnfit';
}

/** Refuses a server that is too old, clustered, or may evict keys or change its replication id by itself (P41). */
export async function assertRedisFits(redis: Redis): Promise<void> {
  const info = await redis.info();
  const field = (name: string) => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
  const version = field('redis_version');
  if (Number(version.split('.')[0]) < 7) throw new RedisUnfit(`Redis ${version} is too old; the gate needs 7 or newer`);
  if (field('cluster_enabled') === '1')
    throw new RedisUnfit('Redis Cluster is not supported yet; use one primary with replicas');
  for (const [name, wanted] of [
    ['maxmemory-policy', 'noeviction'],
    ['repl-backlog-ttl', '0'],
  ] as const) {
    const reply = (await redis.config('GET', name)) as string[];
    if (reply[1] !== wanted)
      throw new RedisUnfit(`Redis must run with ${name} ${wanted}, found ${reply[1] ?? 'nothing'}`);
  }
}

/** The gatekeeper's connection for one rebuild: once lost it stays lost, and the rebuild with it (P7). */
export async function openInstallRedis(url: string): Promise<Redis> {
  const redis = open(url, 'holdfast install', {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 10_000,
    lazyConnect: true,
    retryStrategy: () => null,
  });
  await redis.connect();
  return redis;
}
