/** Door of what tests, browser flows and benchmarks need: real servers, builders, levers and the invariants. */
export { setClockOffset } from './clock.ts';
export { countDeadlocks } from './count-deadlocks.ts';
export { createTestDatabase, type TestDatabase } from './database.ts';
export { deliverEvents } from './deliver-events.ts';
export { checkInvariants, findBroken, type Violation, waitUntilQuiet } from './invariants.ts';
export {
  type CrashingProcess,
  countCalls,
  crashAt,
  type Io,
  type IoCall,
  ProcessDied,
  watchPool,
  watchProducer,
  watchProvider,
  watchRedis,
  watchRedisOpener,
  watchSessions,
} from './io/index.ts';
export { type ProductProcess, startProcess } from './product-process.ts';
export { type RecoverDeps, recoverAll } from './recover-all.ts';
export { freePort, startTestRedis, type TestRedis } from './redis-server.ts';
export { PATIENT, TEST_SECRETS, testConfig } from './test-config.ts';
export { openTestShop, type TestShop } from './test-shop.ts';
export { until } from './until.ts';
