import { expect, test } from 'vitest';
import { MAIN_HANDLERS } from './handlers.testing.ts';
import { sweep } from './sweep.testing.ts';

/** Every handler: crash-sweep.long.test.ts. */
test.each(MAIN_HANDLERS.map((swept) => [swept.name, swept] as const))(
  'A crash before or after any call of "%s" leaves nothing that a new process does not put right',
  async (_, swept) => {
    const { points, wrong } = await sweep(swept, process.env.KAFKA_BROKERS);
    expect(wrong).toEqual([]);
    expect(points).toBeGreaterThan(5);
  },
  120_000,
);
