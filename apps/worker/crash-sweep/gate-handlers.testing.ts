/** The gatekeeper's passes, and the jobs that compare both books and put them right. */
import { mint } from '@holdfast/core/domain';
import { cancelOrder } from '@holdfast/core/order';
import { deliverEvents } from '@holdfast/core/testing';
import { runReconcile } from '../jobs/run-reconcile.ts';
import { sweepGhosts } from '../jobs/sweep-ghosts.ts';
import type { SweptHandler } from './sweep.testing.ts';
import type { SweepShop } from './sweep-shop.testing.ts';

/** Longer than a lease: another worker may be the gatekeeper now. */
const LEASE_OVER_MS = 10_000;

async function leaveGhost(scene: SweepShop, skuId: string): Promise<void> {
  const hold = { shopId: 'S1', skuId, reservationId: mint<'ReservationId'>(), quantity: 3 };
  const taken = await scene.gate.take([hold]);
  if (taken.kind !== 'taken') throw new Error(`not taken: ${taken.kind}`);
}

/** A sold SKU, a released hold, new units and a new SKU: every kind of effect but REMOVE. */
async function effects(scene: SweepShop): Promise<void> {
  const cancelled = await scene.placed();
  await scene.paid();
  await cancelOrder(scene.payments, { tradeId: cancelled.tradeId, by: { kind: 'buyer', buyerId: cancelled.buyerId } });
  await deliverEvents(scene.pool);
}

const deducted = (skuId: string) => `inventory:deducted:{S1}:${skuId}`;
async function drift(scene: SweepShop, units: number): Promise<void> {
  const { skuId } = await scene.placed();
  await scene.settle();
  await scene.shop.redis.incrby(deducted(skuId), units);
  await scene.shop.redis.incr(`inventory:version:{S1}:${skuId}`);
}

export const GATE_HANDLERS: readonly SweptHandler[] = [
  {
    name: 'apply gate effects',
    alone: true,
    async given(scene) {
      await effects(scene);
      await scene.leave(LEASE_OVER_MS);
      return { act: ({ gatekeeper }) => gatekeeper.runOnce() };
    },
  },
  {
    name: 'rebuild the gate',
    alone: true,
    async given(scene) {
      await effects(scene);
      await scene.placed();
      await scene.leave(LEASE_OVER_MS);
      return { act: ({ gatekeeper }) => gatekeeper.rebuild() };
    },
  },
  {
    name: 'sweep ghosts',
    async given(scene) {
      const { skuId } = await scene.placed();
      await leaveGhost(scene, skuId);
      await scene.pass(2 * 60_000);
      return { act: ({ jobs }) => sweepGhosts(jobs) };
    },
  },
  {
    name: 'reconcile what is held too little',
    async given(scene) {
      await drift(scene, -2);
      return { act: ({ jobs }) => runReconcile(jobs) };
    },
  },
  {
    name: 'reconcile what is held too much',
    async given(scene) {
      await drift(scene, 2);
      return { act: ({ jobs }) => runReconcile(jobs) };
    },
  },
];
