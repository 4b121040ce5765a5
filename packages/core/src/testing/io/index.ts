/** Door of numbered calls: what stands between the product and its servers in a test. */
export { type Io, type IoCall, NoReply, ProcessDied } from './io.ts';
export {
  type CrashingProcess,
  countCalls,
  crashAt,
  type HeldCall,
  loseReply,
  neverRuns,
  pause,
  runsLate,
  twice,
  type WatchedProcess,
  type Which,
} from './plans.ts';
export { watchPool, watchSessions } from './watch-postgres.ts';
export { watchProducer } from './watch-producer.ts';
export { watchProvider } from './watch-provider.ts';
export { watchRedis, watchRedisOpener } from './watch-redis.ts';
