/** Starts every consumer of the register. One that dies for good takes the process down (design section 7). */
import { createLetterReports } from '@holdfast/core/ops';
import type { Config, Log, Metrics, StopAt, Waker } from '@holdfast/core/platform';
import { type LetterDeps, type RunningConsumer, startConsumer } from '@holdfast/core/stream';
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
  readonly stopAt?: StopAt | undefined;
}

export function startConsumers(parts: ConsumerParts, letters: LetterDeps): Promise<RunningConsumer[]> {
  const { stores, waker, fail, stopAt } = parts;
  return Promise.all(
    CONSUMERS.map((definition) =>
      startConsumer(
        {
          ...letters,
          stream: stores.stream,
          wake: (topic) => waker.wake(topic),
          onFatal: (error) => fail(error, `consumer ${definition.name} is gone for good; the worker ends`),
          ...(stopAt && { stopAt }),
        },
        definition,
      ),
    ),
  );
}

/** What handling a message again outside its partition needs; consumers and stream.retry share it. */
export function letterDeps({
  config: { inventory },
  stores,
  log,
  metrics,
}: Omit<ConsumerParts, 'waker' | 'fail'>): LetterDeps {
  return {
    pool: stores.ledgerPool,
    log,
    metrics,
    letters: createLetterReports({ dltEnabled: inventory.INVENTORY_KAFKA_CONSUMER_DLT_ENABLED }),
    retry: {
      maxAttempts: inventory.INVENTORY_KAFKA_CONSUMER_RETRY_MAX_ATTEMPTS,
      initialMs: inventory.INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_INITIAL_MS,
      multiplier: inventory.INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MULTIPLIER,
      maxMs: inventory.INVENTORY_KAFKA_CONSUMER_RETRY_BACKOFF_MAX_MS,
    },
  };
}
