import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mint } from '../../domain/index.ts';
import { listIncidents } from '../../ops/index.ts';
import {
  createMetrics,
  createWaker,
  onWake,
  openGateRedis,
  openInstallRedis,
  openRedis,
  openSession,
  type Redis,
  silentLog,
} from '../../platform/index.ts';
import { openTestShop, type TestShop } from '../../testing/test-shop.ts';
import { until } from '../../testing/until.ts';
import { scriptsFor } from '../scripts.ts';
import { askForRebuild } from './ask-for-rebuild.ts';
import { createGatekeeper, type Gatekeeper } from './gatekeeper.ts';

describe('P10 a person asks for a rebuild', () => {
  let shop: TestShop;
  let connections: Redis[];
  let keeper: Gatekeeper;
  beforeEach(async () => {
    shop = await openTestShop('asked_rebuild');
    await shop.stock('hot', 10);
    await shop.order([{ skuId: 'hot', quantity: 3 }]);
    await shop.gatekeeper.stop();
    const { url } = shop.server;
    connections = [openGateRedis(url, 'other process', 2000), openRedis(url, 'wake')];
    keeper = otherKeeper('other');
  });
  afterEach(async () => {
    await keeper.stop();
    for (const connection of connections) connection.disconnect();
    await shop.close();
  });

  const otherKeeper = (holder: string, leaseMs = 5000) =>
    createGatekeeper({
      pool: shop.pool,
      openSession: () => openSession(shop.databaseUrl, 'test gatekeeper'),
      redis: connections[0] as Redis,
      holder,
      metrics: createMetrics(holder),
      log: silentLog,
      leaseMs,
      closedTooLongMs: 200,
      openInstallRedis: () => openInstallRedis(shop.server.url),
    });
  const wish = (requestId: string, reason = 'after the restore') =>
    askForRebuild(
      { pool: shop.pool, waker: createWaker(shop.redis) },
      { requestId, actor: 'ada@shop.example', reason },
    );
  const epoch = async () => (await shop.gate.refresh()).epoch;
  const audited = async () =>
    (
      await shop.pool.query(
        `SELECT actor, target, reason, before, after FROM ops.audit_log WHERE action = 'gate.rebuild' ORDER BY id`,
      )
    ).rows;

  it('of another process, which is woken, flushes every script, and leaves actor, reason and both epochs', async () => {
    const before = await epoch();
    await onWake(connections[1] as Redis, (topic) => topic !== 'outbox' && keeper.wake(topic));
    expect(await wish(mint())).toEqual({ kind: 'asked' });
    // No timer runs: only the publish brings it.
    await until('the gate is rebuilt', async () => (await epoch()) === before + 1 && shop.gate.state()?.open);
    const old = await shop.redis.script('EXISTS', scriptsFor(before).take.sha, scriptsFor(before + 1).take.sha);
    expect(old).toEqual([0, 1]);
    const row = { actor: 'ada@shop.example', target: 'gate', reason: 'after the restore' };
    expect(await audited()).toEqual([{ ...row, before: { epoch: before }, after: { epoch: before + 1 } }]);
    expect(await shop.order([{ skuId: 'hot', quantity: 8 }])).toMatchObject({ code: 'SOLD_OUT', lines: [{ left: 7 }] });
    expect(await shop.order([{ skuId: 'hot', quantity: 7 }])).toMatchObject({ kind: 'placed' });
  });

  it('twice at once, once more after a lost answer, and while one waits: it is rebuilt once', async () => {
    const before = await epoch();
    const requestId = mint();
    const answers = await Promise.all([wish(requestId), wish(requestId), wish(requestId)]);
    expect(answers.map((answer) => answer.kind).sort()).toEqual(['already', 'already', 'asked']);
    expect(await wish(mint())).toEqual({ kind: 'already' });
    await Promise.all([keeper.runOnce(), keeper.runOnce()]);
    await keeper.runOnce();
    expect(await epoch()).toBe(before + 1);
    expect(await wish(requestId)).toEqual({ kind: 'already' });
    await keeper.runOnce();
    expect(await epoch()).toBe(before + 1);
    expect(await audited()).toHaveLength(1);
  });

  it('without a reason: refused, and nothing happens', async () => {
    expect(await wish(mint(), '  ')).toMatchObject({ code: 'INVALID_INPUT', field: 'reason' });
    const before = await epoch();
    await keeper.runOnce();
    expect(await epoch()).toBe(before);
  });

  it('while Redis is away: it is done once Redis is back, and the gate that stays closed is an incident until then', async () => {
    await keeper.runOnce();
    await shop.server.kill();
    await wish(mint());
    const open = () => listIncidents(shop.pool, { status: 'OPEN', kind: 'GATE_CLOSED' });
    await until('the closed gate is an incident', async () => {
      await keeper.runOnce();
      return (await open()).length === 1;
    });
    await keeper.runOnce();
    expect(await open()).toMatchObject([{ subject: 'gate', detail: { why: expect.any(String) } }]);
    await shop.server.start('empty');
    await until('the gate is open', async () => {
      await keeper.runOnce();
      return (await shop.gate.refresh()).open;
    });
    await keeper.runOnce();
    expect(await open()).toEqual([]);
    expect(await audited()).toHaveLength(1);
    expect(await shop.order([{ skuId: 'hot', quantity: 7 }])).toMatchObject({ kind: 'placed' });
  });

  it('an incident that a worker left behind is closed by the one that takes over', async () => {
    await keeper.stop();
    const [first, second] = [otherKeeper('first', 300), otherKeeper('second', 300)];
    await first.runOnce();
    await second.runOnce();
    await shop.server.kill();
    const open = () => listIncidents(shop.pool, { status: 'OPEN', kind: 'GATE_CLOSED' });
    await until('an incident', async () => {
      await first.runOnce();
      return (await open()).length === 1;
    });
    await shop.server.start('kept');
    await until('the second one closes it', async () => {
      await second.runOnce();
      return (await open()).length === 0;
    });
    await Promise.all([first.stop(), second.stop()]);
  });
});
