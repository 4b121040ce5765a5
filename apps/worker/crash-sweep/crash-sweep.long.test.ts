import { expect, test } from 'vitest';
import { HANDLERS } from './handlers.testing.ts';
import { sweep } from './sweep.testing.ts';

test.each(HANDLERS.map((swept) => [swept.name, swept] as const))(
  'A crash before or after any call of "%s" leaves nothing that a new process does not put right',
  async (_, swept) => {
    const row = await sweep(swept, process.env.KAFKA_BROKERS);
    const { handler, points, passed } = row;
    console.log(`${handler.padEnd(46)} ${String(points).padStart(4)} points ${String(passed).padStart(4)} passed`);
    for (const text of row.wrong) console.log(text);
    expect(row.wrong).toEqual([]);
    expect(row.points).toBeGreaterThan(1);
  },
  600_000,
);
