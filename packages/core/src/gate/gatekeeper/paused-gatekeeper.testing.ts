/**
 * A gatekeeper is frozen in each phase of a rebuild, comes back late, and does no harm (P10, P12, P18, P19). Registers the
 * tests: in `npm test` it comes back as soon as the shop sells again, at full length after 45 s, and alone too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mint } from '../../domain/index.ts';
import {
  createMetrics,
  openGateRedis,
  openInstallRedis,
  openSession,
  type Redis,
  silentLog,
} from '../../platform/index.ts';
import { checkShop } from '../../testing/check-shop.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { until } from '../../testing/until.ts';
import { askForRebuild } from './ask-for-rebuild.ts';
import { createGatekeeper, type Gatekeeper } from './gatekeeper.ts';

const PHASES = ['begun', 'locked', 'raised', 'unlocked', 'installed', 'loaded'] as const;
const PROGRAM = join(import.meta.dirname, '..', '..', 'testing', 'run-gatekeeper.ts');
const LEASE_MS = 1000;
const LIMIT_MS = 60_000;

export interface Pause {
  /** How long the process stays frozen once the shop sells again, or in all when it is alone. */
  readonly seconds: number;
  /** Also without anybody who takes over. */
  readonly alone: boolean;
}

export function testPausedGatekeeper({ seconds, alone }: Pause): void {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene();
  });
  afterEach(async () => scene.close());

  describe(`a gatekeeper that is frozen in a rebuild, and comes back after ${seconds} s`, () => {
    for (const phase of PHASES) {
      it(
        `P10 P12 in the phase ${phase}: another one takes over and the shop sells; the late one does no harm`,
        async () => {
          const { shop, second } = scene;
          await scene.freeze(phase);
          second.start();
          await until('the gate is open', async () => (await open(shop)) && true, LIMIT_MS);
          expect(await shop.order([{ skuId: 'hot', quantity: 5 }])).toMatchObject({ kind: 'placed' });
          await sleep(seconds * 1000);
          scene.goOn();
          await until('the late one has ended its rebuild', () => scene.said() > 0, LIMIT_MS);
          await backInBooks(shop);
          expect(await shop.order([{ skuId: 'hot', quantity: 3 }])).toMatchObject({ code: 'SOLD_OUT' });
          expect(await shop.order([{ skuId: 'hot', quantity: 2 }])).toMatchObject({ kind: 'placed' });
          await scene.takeOver();
          expect(await checkShop({ ...shop, gatekeeper: second })).toEqual([]);
        },
        LIMIT_MS * 3 + seconds * 1000,
      );
      if (alone)
        it(
          `P12 in the phase ${phase}, and nobody takes over: it opens the gate when it goes on`,
          async () => {
            await scene.freeze(phase);
            await sleep(seconds * 1000);
            scene.goOn();
            await backInBooks(scene.shop);
            expect(await scene.shop.order([{ skuId: 'hot', quantity: 7 }])).toMatchObject({ kind: 'placed' });
          },
          LIMIT_MS * 2 + seconds * 1000,
        );
    }
  });
}

type Scene = Awaited<ReturnType<typeof openScene>>;

async function openScene() {
  const shop = await openTestShop('paused_keeper', { ORDER_REQUEST_LIMIT_MS: '30000' });
  await shop.stock('hot', 10);
  await shop.order([{ skuId: 'hot', quantity: 3 }]);
  await shop.gatekeeper.stop();
  const redis = openGateRedis(shop.server.url, 'second', 2000);
  const second = openSecond(shop, redis);
  let child: ChildProcess | undefined;
  let said = 0;
  return {
    shop,
    second,
    /** Lines of the process since it was frozen. */
    said: () => said,
    /** Starts the process that freezes itself in the phase of the rebuild that is asked for here. */
    async freeze(phase: string): Promise<void> {
      await askForRebuild(shop, { requestId: mint(), actor: 'test', reason: 'a pause' });
      const stop = `rebuild.${phase}:freeze`;
      const started = spawn(process.execPath, [PROGRAM, shop.databaseUrl, shop.server.url, stop, String(LEASE_MS)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child = started;
      started.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString().trim().split('\n').length;
      });
      await until('the gatekeeper is frozen', () => stateOf(started) === 'T', LIMIT_MS);
      said = 0;
    },
    goOn: () => void child?.kill('SIGCONT'),
    /** The lease of the process runs out before the checks ask the second one to bring everything to rest. */
    async takeOver(): Promise<void> {
      await end(child);
      await until('the second one has the lease', async () => {
        await second.runOnce();
        const { rowCount } = await shop.pool.query(
          `SELECT FROM tinystore_inventory.lease WHERE name = 'gatekeeper' AND holder = 'second'`,
        );
        return rowCount === 1;
      });
    },
    async close(): Promise<void> {
      await second.stop();
      await end(child);
      redis.disconnect();
      await shop.close();
    },
  };
}

function openSecond(shop: TestShop, redis: Redis): Gatekeeper {
  return createGatekeeper({
    pool: shop.pool,
    openSession: () => openSession(shop.databaseUrl, 'test gatekeeper'),
    redis,
    holder: 'second',
    metrics: createMetrics('second'),
    log: silentLog,
    leaseMs: LEASE_MS,
    openInstallRedis: () => openInstallRedis(shop.server.url),
  });
}

/** The SKU as the open gate has it. */
async function open(shop: TestShop) {
  const life = await shop.gate.refresh();
  return life.open && !life.closedReported && (await shop.gate.read([{ shopId: 'S1', skuId: 'hot' }]))[0];
}

async function backInBooks(shop: TestShop): Promise<void> {
  const found = await until('the gate is open', async () => {
    const reading = await open(shop);
    return reading && reading.kind === 'read' && reading;
  });
  const { rows } = await shop.pool.query<{ held: number }>(
    `SELECT coalesce(sum(quantity), 0)::int AS held FROM tinystore_inventory.live_holds(NULL, NULL)`,
  );
  expect(found).toMatchObject({ total: 10, deducted: rows[0]?.held });
  expect(rows[0]?.held).toBeLessThanOrEqual(10);
}

function stateOf({ pid }: ChildProcess): string | undefined {
  return pid === undefined ? undefined : readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
