/**
 * A process that places one order and prints the answer; crash tests kill it at a stop point.
 * Arguments: database URL, Redis URL, stop point, then the order command as JSON.
 */
import { createGate } from '../gate/index.ts';
import { createPlaceOrderDeps, type PlaceOrderCommand, placeOrder } from '../order/index.ts';
import { createMetrics, createPool, createWaker, openGateRedis, silentLog, stopPoint } from '../platform/index.ts';
import { testConfig } from './test-config.ts';

const [databaseUrl = '', redisUrl = '', stop, command = '{}'] = process.argv.slice(2);
const config = testConfig({ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl });
const pool = createPool({ url: databaseUrl, name: 'one order', max: 4 });
const redis = openGateRedis(redisUrl, 'one order', config.gate.GATE_COMMAND_TIMEOUT_MS);
const metrics = createMetrics('test');
const waker = createWaker(redis);
const gate = createGate({ redis, pool, log: silentLog, metrics, waker });
const stopAt = stopPoint('test', stop);
const deps = createPlaceOrderDeps({
  pool,
  redis,
  gate,
  config,
  log: silentLog,
  metrics,
  waker,
  ...(stopAt && { stopAt }),
});
process.stdout.write(`${JSON.stringify(await placeOrder(deps, JSON.parse(command) as PlaceOrderCommand))}\n`);
redis.disconnect();
await pool.end();
