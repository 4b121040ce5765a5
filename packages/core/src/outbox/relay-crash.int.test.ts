import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ORDER_TOPIC } from '../domain/index.ts';
import { watchTopics } from '../stream/topic-reader.testing.ts';
import { until } from '../testing/until.ts';
import { relayOnce } from './index.ts';
import { outboxDesk } from './outbox-desk.testing.ts';

const { stream, databaseUrl, deps, appendAll, readOutbox, statuses } = outboxDesk(process.env.KAFKA_BROKERS);
const program = new URL('./crash-at-step.testing.ts', import.meta.url).pathname;
const MOST_EDGES = 40;

const runUntil = (edge: number) =>
  new Promise<string | null>((resolve) =>
    execFile(
      process.execPath,
      [program, databaseUrl(), process.env.KAFKA_BROKERS ?? '', String(edge)],
      { timeout: 30_000 },
      (error) => resolve(error?.signal ?? (error ? 'failed' : null)),
    ),
  );

test('C11 C31 – A relay killed between any two of its steps loses no event and leaves none unsent', async () => {
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  let deaths = 0;
  for (let edge = 0; edge < MOST_EDGES; edge++) {
    await appendAll([randomUUID(), randomUUID(), randomUUID()]);
    const end = await runUntil(edge);
    if (end === null) break;
    expect(end).toBe('SIGKILL');
    deaths++;
    // Whatever the dead one had done: its successor sends all that is not marked.
    await until('its lease runs out and the rest is sent', async () => {
      await relayOnce(deps());
      return (await statuses()).every((status) => status === 'SENT');
    });
  }
  // Lease, claim, send and mark have two edges each.
  expect(deaths).toBeGreaterThanOrEqual(8);
  expect(deaths).toBeLessThan(MOST_EDGES);
  await relayOnce(deps());
  const rows = await readOutbox();
  expect(rows.every((row) => row.status === 'SENT')).toBe(true);
  const found = await watch.read();
  const at = new Map(found.map((m) => [`${m.partition}/${m.offset}`, m.id]));
  for (const row of rows) expect(at.get(`${row.partition}/${row.offset}`)).toBe(row.eventId);
}, 180_000);
