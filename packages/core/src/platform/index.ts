/** Door of the platform: configuration, stores, log, metrics, lease. */
export { type Config, ConfigError, loadConfig } from './config.ts';
export { dropLease, holdLease } from './lease.ts';
export { createLog, type Log, silentLog } from './log.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export {
  classifyDatabaseError,
  createPool,
  type DatabaseErrorClass,
  databaseErrorCode,
  inTransaction,
  isDatabaseError,
  type Pool,
  type PoolOptions,
  type Sql,
  type Tx,
} from './postgres.ts';
export { createPrisma, openPrisma, Prisma, type PrismaClient } from './prisma/client.ts';
export { assertRedisFits, openGateRedis, openInstallRedis, openRedis, type Redis, RedisUnfit } from './redis.ts';
export { MAX_DATABASE_TRIES, repeatOnConflict } from './repeat.ts';
export { openSession, type Session } from './session.ts';
export { STOP_POINTS, type StopAt, type StopPoint, stopPoint } from './stop-point.ts';
export { createWaker, onWake, type Waker, type WakeTopic } from './wake.ts';
