/**
 * A process that writes units off once and prints the answer; crash tests kill it at a stop point.
 * Arguments: database URL, Redis URL, stop point, then the write-off as JSON.
 */
import { createGate } from '../gate/index.ts';
import { createMetrics, createPool, createWaker, openGateRedis, silentLog, stopPoint } from '../platform/index.ts';
import { type WriteOff, writeOff } from '../stock/index.ts';

const [databaseUrl = '', redisUrl = '', stop, wanted = '{}'] = process.argv.slice(2);
const pool = createPool({ url: databaseUrl, name: 'one write-off', max: 2 });
const redis = openGateRedis(redisUrl, 'one write-off', 5000);
const waker = createWaker(redis);
const gate = createGate({ redis, pool, log: silentLog, metrics: createMetrics('test'), waker });
const stopAt = stopPoint('test', stop);
const deps = { pool, gate, log: silentLog, waker, limitMs: 10_000, ...(stopAt && { stopAt }) };
process.stdout.write(`${JSON.stringify(await writeOff(deps, JSON.parse(wanted) as WriteOff))}\n`);
redis.disconnect();
await pool.end();
