/** Web alone, before any gatekeeper has looked: a server that lost its life or its role sells nothing of the present epoch. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mint } from '../domain/index.ts';
import { PATIENT } from '../testing/test-config.ts';
import { openTestShop, type TestShop } from '../testing/test-shop.ts';
import { until } from '../testing/until.ts';
import { type Hold, readEpoch } from './index.ts';

let shop: TestShop;
beforeEach(async () => {
  shop = await openTestShop('other-server', PATIENT);
  await shop.stock('K1', 10);
});
afterEach(async () => shop.close());

const hold = (): Hold => ({ shopId: 'S1', skuId: 'K1', reservationId: mint<'ReservationId'>(), quantity: 1 });

/** What takes answer until the gate is reported closed. */
async function takeUntilReported(): Promise<Set<string>> {
  const answers = new Set<string>();
  await until('the gate is reported closed', async () => {
    answers.add((await shop.gate.take([hold()])).kind);
    return answers.has('taken') || (await readEpoch(shop.pool)).closedReported;
  });
  return answers;
}

test('P9 – A server that was restarted with its old data sells nothing, though counters and epoch keys are there', async () => {
  expect(await shop.gate.take([hold()])).toMatchObject({ kind: 'taken' });
  await shop.server.kill();
  await shop.server.start('kept');
  await until('the old keys are there', async () => (await shop.redis.exists('inventory:epoch:{S1}:K1')) === 1);
  expect(await takeUntilReported()).not.toContain('taken');
  await shop.gatekeeper.runOnce();
});

test('P9 – A server that was demoted and promoted again, its scripts and connections still alive, sells nothing', async () => {
  expect(await shop.gate.take([hold()])).toMatchObject({ kind: 'taken' });
  await shop.redis.replicaof('127.0.0.1', 1);
  expect(await shop.gate.take([hold()])).toEqual({ kind: 'retry', reason: 'GATE_CLOSED' });
  await shop.redis.replicaof('NO', 'ONE');
  expect(await takeUntilReported()).not.toContain('taken');
  await shop.gatekeeper.runOnce();
});
