/** A test shop with the worker's own relay, consumers and retries behind it. Nothing in it is a stand-in. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Producer, retryLetters } from '@holdfast/core/stream';
import { openTestShop, PATIENT, waitUntilQuiet } from '@holdfast/core/testing';
import { chainOrders } from './chain-orders.testing.ts';
import { openChainStream } from './chain-stream.testing.ts';
import { CONSUMERS } from './consumers/register.ts';

export type OrderChain = Awaited<ReturnType<typeof openOrderChain>>;

const TICK_MS = 50;

export async function openOrderChain(
  name: string,
  brokers: string | undefined,
  around: (producer: Producer) => Producer = (producer) => producer,
) {
  const shop = await openTestShop(name, PATIENT);
  const { pool } = shop;
  const wakeEffects = () => shop.gatekeeper.wake('effects');
  const stream = await openChainStream({ name, brokers, pool, wakeEffects, around });
  const retry = () => retryLetters(stream.letters, CONSUMERS);
  return {
    ...stream,
    ...chainOrders(shop, stream.wake),
    shop,
    retry,
    count: async (what: string) =>
      (await pool.query<{ n: number }>(`SELECT count(*)::integer AS n FROM ${what}`)).rows[0]?.n ?? -1,
    /** Until nothing is under way and every failing message is decided. */
    async settled() {
      let quiet = false;
      const tick = async () => {
        while (!quiet) {
          await retry();
          await sleep(TICK_MS);
        }
      };
      const resting = waitUntilQuiet({ pool }).finally(() => {
        quiet = true;
      });
      await Promise.all([resting, tick()]);
    },
    async close(options: { readonly mayBreak?: boolean } = {}) {
      await stream.stopRelay();
      await stream.stopConsumers();
      await stream.producer.close();
      await shop.close(options);
    },
  };
}
