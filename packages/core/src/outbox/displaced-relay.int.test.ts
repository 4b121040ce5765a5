import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { dropLease, holdLease } from '../platform/index.ts';
import { claimBatch, RELAY_LEASE } from './claim-batch.ts';
import { markSent, parkFrom } from './mark-sent.ts';
import { outboxDesk } from './outbox-desk.testing.ts';

const { pool, appendAll, statuses } = outboxDesk(process.env.KAFKA_BROKERS);

test('P32 – A relay that has lost its lease marks and parks nothing of what its successor is to send', async () => {
  await appendAll([randomUUID(), randomUUID()]);
  await holdLease(pool(), RELAY_LEASE, 'first', 60_000);
  const claimed = await claimBatch(pool(), 'first', [], 10);
  expect(claimed).toHaveLength(2);
  await dropLease(pool(), RELAY_LEASE, 'first');
  await holdLease(pool(), RELAY_LEASE, 'second', 60_000);
  const sent = claimed.map(({ id }) => ({ id, partition: 0, offset: id }));
  expect(await markSent(pool(), 'first', sent)).toBe(0);
  const [event] = claimed;
  if (!event) throw new Error('nothing claimed');
  expect(await parkFrom(pool(), 'first', event, 'too large')).toBe(0);
  expect(await statuses()).toEqual(['PENDING', 'PENDING']);
  expect(await claimBatch(pool(), 'second', [], 10)).toHaveLength(2);
  expect(await markSent(pool(), 'second', sent)).toBe(2);
});
