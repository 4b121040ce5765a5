import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { pruneOutbox, relayOnce } from './index.ts';
import { outboxDesk } from './outbox-desk.testing.ts';

const { pool, deps, appendAll, insert, readOutbox, statuses } = outboxDesk(process.env.KAFKA_BROKERS);

test('C41 – An event that cannot be sent is parked with the later ones of its key; other keys go on', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  await appendAll([a, b]);
  await insert('NO_SUCH_TYPE', a, '{}');
  await appendAll([b, a]);
  await insert('TRADE_PAID', b, JSON.stringify({ text: 'x'.repeat(800_000) }));
  await appendAll([b, randomUUID()]);
  const parked: string[] = [];
  const relay = deps({ batchSize: 3, onParked: async (_sql, event) => void parked.push(event.key) });
  expect(await relayOnce(relay)).toBe(4);
  await appendAll([a, b]);
  expect(await relayOnce(relay)).toBe(0);
  const rows = await readOutbox();
  expect(rows.map((row) => row.status)).toEqual([
    'SENT',
    'SENT',
    'PARKED',
    'SENT',
    'PARKED',
    'PARKED',
    'PARKED',
    'SENT',
    'PARKED',
    'PARKED',
  ]);
  expect(rows[2]?.reason).toBe('unknown event type NO_SUCH_TYPE');
  expect(rows[4]?.reason).toBe(`behind event ${rows[2]?.id}`);
  expect(rows[5]?.reason).toMatch(/bytes, at most/);
  expect(parked).toEqual([a, b]);
});

test('An event is parked together with the incident that tells of it, or not at all', async () => {
  await insert('NO_SUCH_TYPE', 'a key', '{}');
  await expect(relayOnce(deps({ onParked: () => Promise.reject(new Error('full')) }))).rejects.toThrow('full');
  expect(await statuses()).toEqual(['PENDING']);
  await relayOnce(deps());
  expect(await statuses()).toEqual(['PARKED']);
});

test('The clean-up deletes old sent events and nothing else', async () => {
  await appendAll(Array.from({ length: 6 }, () => randomUUID()));
  await pool().query(
    'UPDATE tinystore_order.outbox_event SET occurred_at = ops.clock_now() - make_interval(days => 9)',
  );
  await pool().query(`
    WITH n AS (SELECT id, row_number() OVER (ORDER BY id) AS n FROM tinystore_order.outbox_event),
      gone AS (DELETE FROM tinystore_order.outbox_pending p USING n WHERE n.id = p.id AND n < 4 RETURNING n.*)
    INSERT INTO tinystore_order.outbox_sent
    SELECT id, 0, 0, ops.clock_now() - make_interval(days => CASE WHEN n = 1 THEN 6 ELSE 8 END) FROM gone`);
  await pool().query(
    `UPDATE tinystore_order.outbox_pending SET status = 'PARKED', topic = 't', key = 'k', reason = 'x'
     WHERE id > (SELECT min(id) FROM tinystore_order.outbox_pending)`,
  );
  expect(await pruneOutbox(pool(), { retentionDays: 7 })).toBe(2);
  expect(await statuses()).toEqual(['SENT', 'PENDING', 'PARKED', 'PARKED']);
});
