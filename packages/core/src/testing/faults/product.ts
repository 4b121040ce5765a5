/**
 * The whole product as it runs in a shop, with a link before every server: web and worker as processes of their own,
 * started again as their supervisor would, on a database, a redis-server and topics of one run.
 */
import { mint } from '../../domain/index.ts';
import type { Pool, Redis } from '../../platform/index.ts';
import { type ProductProcess, startProcess } from '../product-process.ts';
import { freePort } from '../redis-server.ts';
import { openTestShop } from '../test-shop.ts';
import { nameLink } from './kafka-address.ts';
import { type Link, openLink } from './link.ts';
import { controlServers, type Servers } from './servers.ts';
import { openShopClient, type ShopClient } from './shop-client.ts';

export type LinkName = 'http' | 'webDatabase' | 'webRedis' | 'workerDatabase' | 'workerRedis' | 'workerKafka';
export type ProcessName = 'web' | 'worker';

export interface Product {
  readonly pool: Pool;
  readonly redis: Redis;
  readonly links: Readonly<Record<LinkName, Link>>;
  readonly servers: Servers;
  readonly client: ShopClient;
  readonly redisServer: { remember(): void; start(data: 'old' | 'empty'): Promise<void> };
  readonly redisUrl: string;
  readonly kafka: { readonly brokers: string; readonly prefix: string };
  process(name: ProcessName): ProductProcess;
  /** Starts it again after its end. */
  restart(name: ProcessName): Promise<void>;
  /** Another worker beside the first; ends by `end`. */
  secondWorker(): Promise<ProductProcess>;
  close(): Promise<void>;
}

/** What the shoppers buy, and what nobody buys. */
export const SOLD = 'K1';
export const QUIET = 'K2';
const UNITS = 1_000_000;
export const PARTITIONS = 3;

export interface StackAddresses {
  readonly dir: string;
  readonly brokers: string;
}

export async function openProduct({ dir, brokers }: StackAddresses): Promise<Product> {
  const shop = await openTestShop('faults');
  await shop.stock(SOLD, UNITS);
  await shop.stock(QUIET, UNITS);
  await shop.order([{ skuId: QUIET, quantity: 3 }]);
  await shop.gatekeeper.stop();
  const webPort = await freePort();
  const links = await openLinks(shop, Number(brokers.split(':')[1]), webPort);
  const prefix = `faults-${mint<'prefix'>()}.`;
  const publicUrl = `http://127.0.0.1:${links.http.port}`;
  const common = { KAFKA_PREFIX: prefix, KAFKA_PARTITIONS: String(PARTITIONS), PUBLIC_URL: publicUrl, ...OFTEN };
  const start = {
    web: () =>
      startProcess(
        'web',
        {
          ...common,
          PORT: String(webPort),
          DATABASE_URL: links.webDatabase.before(shop.databaseUrl),
          REDIS_URL: links.webRedis.before(shop.server.url),
          KAFKA_BROKERS: brokers,
        },
        ['--api'],
      ),
    worker: () =>
      startProcess('worker', {
        ...common,
        DATABASE_URL: links.workerDatabase.before(shop.databaseUrl),
        REDIS_URL: links.workerRedis.before(shop.server.url),
        KAFKA_BROKERS: `127.0.0.1:${links.workerKafka.port}`,
      }),
  };
  const [web, worker] = await Promise.all([start.web(), start.worker()]);
  const processes = { web, worker };
  return {
    ...{ pool: shop.pool, redis: shop.redis, links, redisServer: shop.server, redisUrl: shop.server.url },
    kafka: { brokers, prefix },
    servers: controlServers(dir, shop.server),
    client: openShopClient(publicUrl),
    process: (name) => processes[name],
    async restart(name) {
      processes[name] = await start[name]();
    },
    secondWorker: start.worker,
    async close() {
      await Promise.all(Object.values(processes).map((process) => process.end('SIGKILL')));
      for (const link of Object.values(links)) link.close();
      await shop.close({ mayBreak: true });
    },
  };
}

/** What a person would wait a minute for comes every few seconds. */
const OFTEN = {
  LOG_LEVEL: 'warn',
  INVENTORY_UNCOMMIT_CLEANUP_PROOF_AGE: 'PT5S',
  INVENTORY_RECONCILIATION_FIXED_DELAY: 'PT3S',
  INVENTORY_RESERVATION_EXPIRY_FIXED_DELAY: 'PT5S',
  ORDER_SCHEDULER_PAYMENT_TIMEOUT_INTERVAL: '5000',
};

async function openLinks(
  shop: { readonly databaseUrl: string; readonly server: { readonly url: string } },
  brokerPort: number,
  webPort: number,
): Promise<Record<LinkName, Link>> {
  const database = () => Number(new URL(shop.databaseUrl).port);
  const redis = () => Number(new URL(shop.server.url).port);
  const [http, webDatabase, webRedis, workerDatabase, workerRedis, workerKafka] = await Promise.all([
    openLink(() => webPort),
    openLink(database),
    openLink(redis),
    openLink(database),
    openLink(redis),
    openLink(() => brokerPort, nameLink(brokerPort)),
  ]);
  return { http, webDatabase, webRedis, workerDatabase, workerRedis, workerKafka };
}
