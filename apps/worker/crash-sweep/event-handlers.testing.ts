/** The relay and every consumer, over a real broker; letters that are tried again; and what is pruned in the end. */
import { cancelOrder } from '@holdfast/core/order';
import { CONSUMERS } from '../consumers/register.ts';
import { cleanUp } from '../jobs/clean-up.ts';
import { runRetryLetters } from '../jobs/retry-letters.ts';
import type { SweptHandler } from './sweep.testing.ts';
import type { SweepShop } from './sweep-shop.testing.ts';

const NINE_DAYS_MS = 9 * 24 * 3_600_000;

/** One order that was cancelled and one that was paid, each with its events at this stage of their way. */
async function underWay(scene: SweepShop, name: string): Promise<void> {
  const cancelled = await scene.placed();
  await scene.paid();
  await cancelOrder(scene.payments, { tradeId: cancelled.tradeId, by: { kind: 'buyer', buyerId: cancelled.buyerId } });
  await scene.stream.relay(scene.pool);
  if (name === 'ledger') return;
  for (const definition of CONSUMERS)
    if (definition.name === 'ledger') await scene.stream.consume(scene.pool, definition);
  await scene.stream.relay(scene.pool);
  if (name === 'order') return;
  for (const definition of CONSUMERS)
    if (definition.name === 'order') await scene.stream.consume(scene.pool, definition);
  await scene.stream.relay(scene.pool);
}

export const EVENT_HANDLERS: readonly SweptHandler[] = [
  {
    name: 'relay',
    alone: true,
    streamed: true,
    async given(scene) {
      await scene.placed();
      await scene.placed();
      return { act: ({ pool }, { io }) => scene.stream.relay(pool, io) };
    },
  },
  ...CONSUMERS.map(
    (definition): SweptHandler => ({
      name: `consume as ${definition.name}`,
      streamed: true,
      async given(scene) {
        await underWay(scene, definition.name);
        return { act: ({ pool }) => scene.stream.consume(pool, definition) };
      },
    }),
  ),
  {
    name: 'try a letter again',
    alone: true,
    streamed: true,
    async given(scene) {
      await scene.pool.query(
        `CREATE OR REPLACE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'planted' USING ERRCODE = '22012'; END $$`,
      );
      await scene.pool.query(
        'CREATE TRIGGER planted BEFORE INSERT ON tinystore_inventory.inventory_reservation FOR EACH ROW EXECUTE FUNCTION planted()',
      );
      await scene.placed();
      await scene.stream.deliver(scene.pool);
      await scene.pool.query('DROP TRIGGER planted ON tinystore_inventory.inventory_reservation');
      await scene.pass(20_000);
      return { act: ({ jobs }) => runRetryLetters(jobs) };
    },
  },
  {
    name: 'prune',
    async given(scene) {
      await scene.confirmed();
      await scene.pass(NINE_DAYS_MS);
      return { act: ({ jobs }) => cleanUp(jobs) };
    },
  },
];
