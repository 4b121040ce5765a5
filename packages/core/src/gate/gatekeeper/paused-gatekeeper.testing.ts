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
import type { GateCounters } from '../replies.ts';
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

interface Rig {
  readonly shop: TestShop;
  /** Takes over; not started yet. */
  readonly second: Gatekeeper;
  /** Starts the process that freezes itself in the phase of the rebuild that is asked for here. */
  freeze(phase: string): Promise<void>;
  /** Lets it go on; resolves when it has ended its late rebuild. */
  thaw(): Promise<void>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

async function openRig(): Promise<Rig> {
  const shop = await openTestShop('paused_keeper', { ORDER_REQUEST_LIMIT_MS: '30000' });
  await shop.stock('hot', 10);
  await shop.order([{ skuId: 'hot', quantity: 3 }]);
  await shop.gatekeeper.stop();
  const redis = openGateRedis(shop.server.url, 'second', 2000);
  const second = secondKeeper(shop, redis);
  const said: string[] = [];
  let child: ChildProcess | undefined;
  const state = () => (child?.pid ? readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.[0] : undefined);
  return {
    shop,
    second,
    async freeze(phase) {
      await askForRebuild(shop, { requestId: mint(), actor: 'test', reason: 'a pause' });
      const stop = `rebuild.${phase}:freeze`;
      const args = [PROGRAM, shop.databaseUrl, shop.server.url, stop, String(LEASE_MS)];
      child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      child.stdout?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
      await until('the gatekeeper is frozen', () => state() === 'T', LIMIT_MS);
    },
    async thaw() {
      said.length = 0;
      child?.kill('SIGCONT');
      await until('the late one has ended its rebuild', () => said.length > 0, LIMIT_MS);
    },
    kill: () => end(child),
    async close() {
      await second.stop();
      await end(child);
      redis.disconnect();
      await shop.close();
    },
  };
}

function secondKeeper(shop: TestShop, redis: Redis): Gatekeeper {
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

export function testPausedGatekeeper({ seconds, alone }: Pause): void {
  let rig: Rig;
  beforeEach(async () => {
    rig = await openRig();
  });
  afterEach(() => rig.close());

  describe(`a gatekeeper that is frozen in a rebuild, and comes back after ${seconds} s`, () => {
    for (const phase of PHASES) {
      it(
        `P10 P12 in the phase ${phase}: another one takes over and the shop sells; the late one does no harm`,
        async () => {
          const { shop, second } = rig;
          await rig.freeze(phase);
          second.start();
          await until('the gate is open', async () => (await readOpen(shop)) !== undefined, LIMIT_MS);
          expect(await shop.order([{ skuId: 'hot', quantity: 5 }])).toMatchObject({ kind: 'placed' });
          await sleep(seconds * 1000);
          await rig.thaw();
          await expectBooks(shop);
          expect(await shop.order([{ skuId: 'hot', quantity: 3 }])).toMatchObject({ code: 'SOLD_OUT' });
          expect(await shop.order([{ skuId: 'hot', quantity: 2 }])).toMatchObject({ kind: 'placed' });
          await rig.kill();
          await takeOver(rig);
          expect(await checkShop({ ...shop, gatekeeper: second })).toEqual([]);
        },
        LIMIT_MS * 3 + seconds * 1000,
      );
      if (alone)
        it(
          `P12 in the phase ${phase}, and nobody takes over: it opens the gate when it goes on`,
          async () => {
            await rig.freeze(phase);
            await sleep(seconds * 1000);
            await rig.thaw();
            await expectBooks(rig.shop);
            expect(await rig.shop.order([{ skuId: 'hot', quantity: 7 }])).toMatchObject({ kind: 'placed' });
          },
          LIMIT_MS * 2 + seconds * 1000,
        );
    }
  });
}

/** The counters of the open gate; undefined while it is closed. */
async function readOpen({ gate }: TestShop): Promise<GateCounters | undefined> {
  const life = await gate.refresh();
  if (!life.open || life.closedReported) return undefined;
  const [found] = await gate.read([{ shopId: 'S1', skuId: 'hot' }]);
  return found?.kind === 'read' ? found : undefined;
}

async function expectBooks(shop: TestShop): Promise<void> {
  const found = await until('the gate is open', () => readOpen(shop), LIMIT_MS);
  const { rows } = await shop.pool.query<{ held: number }>(
    `SELECT coalesce(sum(quantity), 0)::int AS held FROM tinystore_inventory.live_holds(NULL, NULL)`,
  );
  expect(found).toMatchObject({ total: 10, deducted: rows[0]?.held });
}

/** The lease of the process runs out before the checks ask the second one to bring everything to rest. */
async function takeOver({ shop, second }: Rig): Promise<void> {
  await until('the second one has the lease', async () => {
    await second.runOnce();
    const { rowCount } = await shop.pool.query(
      `SELECT FROM tinystore_inventory.lease WHERE name = 'gatekeeper' AND holder = 'second'`,
    );
    return rowCount === 1;
  });
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
