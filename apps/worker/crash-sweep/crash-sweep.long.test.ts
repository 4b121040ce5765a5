import { afterAll, expect, test } from 'vitest';
import { HANDLERS } from './handlers.testing.ts';
import { type SweepRow, sweep } from './sweep.testing.ts';

const rows: SweepRow[] = [];
afterAll(() => {
  const lines = rows.map(
    ({ handler, points, passed }) =>
      `${handler.padEnd(46)} ${String(points).padStart(4)} points ${String(passed).padStart(4)} passed`,
  );
  process.stdout.write(`\n${lines.join('\n')}\n`);
});

test.each(HANDLERS.map((swept) => [swept.name, swept] as const))(
  'A crash before or after any call of "%s" leaves nothing that a new process does not put right',
  async (_, swept) => {
    const row = await sweep(swept, process.env.KAFKA_BROKERS);
    rows.push(row);
    expect(row.wrong).toEqual([]);
    expect(row.points).toBeGreaterThan(1);
  },
  600_000,
);
