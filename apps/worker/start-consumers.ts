/** Starts every consumer of the register. One that dies for good takes the process down (design section 7). */
import { openIncident } from '@holdfast/core/ops';
import type { Config, Log, Metrics, Waker } from '@holdfast/core/platform';
import { type RunningConsumer, startConsumer } from '@holdfast/core/stream';
import { CONSUMERS } from './consumers/register.ts';
import type { WorkerStores } from './open-stores.ts';

export interface ConsumerParts {
  readonly config: Config;
  readonly stores: WorkerStores;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly waker: Waker;
  /** Ends the process with a clear line. */
  readonly fail: (error: unknown, message: string) => void;
}

export function startConsumers({
  config,
  stores,
  log,
  metrics,
  waker,
  fail,
}: ConsumerParts): Promise<RunningConsumer[]> {
  const { inventory } = config;
  const backOff = {
    initialMs: inventory.INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_INITIAL_MS,
    multiplier: inventory.INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MULTIPLIER,
    maxMs: inventory.INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MAX_MS,
  };
  return Promise.all(
    CONSUMERS.map((definition) =>
      startConsumer(
        {
          stream: stores.stream,
          pool: stores.ledgerPool,
          log,
          metrics,
          openIncident,
          backOff,
          wake: (topic) => waker.wake(topic),
          onFatal: (error) => fail(error, `consumer ${definition.name} is gone for good; the worker ends`),
        },
        definition,
      ),
    ),
  );
}
