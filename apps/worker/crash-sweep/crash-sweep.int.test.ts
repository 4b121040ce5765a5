import { expect, test } from 'vitest';
import { ORDER_HANDLERS } from './order-handlers.testing.ts';
import { sweep } from './sweep.testing.ts';

test.each(ORDER_HANDLERS.map((swept) => [swept.name, swept] as const))(
  'A crash before or after any call of "%s" leaves nothing that a new process does not put right',
  async (_, swept) => {
    const row = await sweep(swept, process.env.KAFKA_BROKERS);
    console.log(row.handler, row.points, row.passed);
    expect(row.wrong).toEqual([]);
    expect(row.points).toBeGreaterThan(2);
  },
  300_000,
);
