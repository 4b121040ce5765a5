import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { ORDER_TOPIC } from '../../../domain/index.ts';
import { claimBatch } from '../../../outbox/claim-batch.ts';
import { RELAY_LEASE, relayOnce } from '../../../outbox/index.ts';
import { parkFrom } from '../../../outbox/mark-sent.ts';
import { outboxDesk } from '../../../outbox/outbox-desk.testing.ts';
import { dropLease, holdLease, inTransaction } from '../../../platform/index.ts';
import { watchTopics } from '../../../stream/topic-reader.testing.ts';
import { openIncident } from '../../index.ts';
import { listParkedEvents, putBackEvents } from './put-back-events.ts';

const { pool, stream, deps, appendAll, insert, readOutbox, statuses } = outboxDesk(process.env.KAFKA_BROKERS);

test('C41 – Parked events of a key go back together and are sent in their order, once their cause is gone', async () => {
  const [a, b] = [randomUUID(), randomUUID()];
  await insert('NO_SUCH_TYPE', a, `{"tradeId":"${a}","buyerId":"${a}"}`);
  await appendAll([a, b, a]);
  const relay = deps({
    onParked: (sql, { eventId }, reason) =>
      openIncident(sql, { kind: 'OUTBOX_PARKED', subject: eventId, detail: { reason } }),
  });
  await relayOnce(relay);
  expect(await statuses()).toEqual(['PARKED', 'PARKED', 'SENT', 'PARKED']);
  expect(await listParkedEvents(pool())).toMatchObject([
    { topic: ORDER_TOPIC, key: a, events: 3, reason: 'unknown event type NO_SUCH_TYPE' },
  ]);
  const by = { topic: ORDER_TOPIC, key: a, actor: 'ada@shop.example', reason: 'deployed' };
  // Too early: it is parked anew, with those behind it.
  expect(await putBackEvents(pool(), by)).toEqual({ kind: 'put-back', events: 3 });
  await relayOnce(relay);
  expect(await statuses()).toEqual(['PARKED', 'PARKED', 'SENT', 'PARKED']);
  await pool().query(`UPDATE tinystore_order.outbox_event SET type = 'TRADE_PAID' WHERE type = 'NO_SUCH_TYPE'`);
  const watch = await watchTopics(stream(), [ORDER_TOPIC]);
  expect(await putBackEvents(pool(), by)).toEqual({ kind: 'put-back', events: 3 });
  await relayOnce(relay);
  const rows = await readOutbox();
  expect(rows.map((row) => row.status)).toEqual(['SENT', 'SENT', 'SENT', 'SENT']);
  expect((await watch.read()).map((m) => m.id)).toEqual([rows[0], rows[1], rows[3]].map((row) => row?.eventId));
  expect(await putBackEvents(pool(), by)).toMatchObject({ kind: 'refused', code: 'WRONG_STATE' });
  const { rows: open } = await pool().query(`SELECT 1 FROM ops.incident WHERE status = 'OPEN'`);
  expect(open).toEqual([]);
  const { rows: audit } = await pool().query('SELECT action, actor, reason FROM ops.audit_log');
  expect(audit).toEqual(Array(2).fill({ action: 'outbox.put-back', actor: by.actor, reason: by.reason }));
});

test('An event that was claimed behind a parked one is not left behind when that one is put back meanwhile', async () => {
  const key = randomUUID();
  await insert('NO_SUCH_TYPE', key, `{"tradeId":"${key}","buyerId":"${key}"}`);
  await relayOnce(deps());
  await appendAll([key]);
  await holdLease(pool(), RELAY_LEASE, 'slow', 60_000);
  const [behind] = await claimBatch(pool(), 'slow', [], 10);
  if (!behind?.behindParked) throw new Error('nothing waits behind the parked event');
  await pool().query(`UPDATE tinystore_order.outbox_event SET type = 'TRADE_PAID' WHERE type = 'NO_SUCH_TYPE'`);
  await putBackEvents(pool(), { topic: ORDER_TOPIC, key, actor: 'ada@shop.example', reason: 'deployed' });
  expect(await inTransaction(pool(), (tx) => parkFrom(tx, 'slow', behind, 'behind a parked event of its key'))).toBe(0);
  await dropLease(pool(), RELAY_LEASE, 'slow');
  await relayOnce(deps());
  expect(await statuses()).toEqual(['SENT', 'SENT']);
});
