/**
 * A process that is nothing but a gatekeeper; tests freeze it at a stop point. Prints one line for each thing it logs.
 * Arguments: database URL, Redis URL, stop point, lease in ms.
 */
import { createGatekeeper } from '../gate/index.ts';
import {
  createMetrics,
  createPool,
  type Log,
  openGateRedis,
  openInstallRedis,
  openSession,
  stopPoint,
} from '../platform/index.ts';

const [databaseUrl = '', redisUrl = '', stop, leaseMs] = process.argv.slice(2);
const say = (_fields: object, message: string) => void process.stdout.write(`${message}\n`);
const log: Log = { info: say, warn: say, error: say, debug: () => undefined };
const stopAt = stopPoint('test', stop);
const gatekeeper = createGatekeeper({
  pool: createPool({ url: databaseUrl, name: 'gatekeeper process', max: 2 }),
  openSession: () => openSession(databaseUrl, 'gatekeeper process'),
  redis: openGateRedis(redisUrl, 'gatekeeper process', 2000),
  openInstallRedis: () => openInstallRedis(redisUrl),
  holder: `process ${process.pid}`,
  metrics: createMetrics('gatekeeper process'),
  log,
  leaseMs: Number(leaseMs),
  ...(stopAt && { stopAt }),
});
gatekeeper.start();
