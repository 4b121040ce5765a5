/** What operators may do with failing messages, through the procedures. The worker's part is proven beside the stream. */
import { randomUUID } from 'node:crypto';
import { ORDER_TOPIC } from '@holdfast/core/domain';
import type { TestShop } from '@holdfast/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleDesk, openConsoleDesk } from './console-desk.testing.ts';

const reason = 'the sender was mended';
let desk: ConsoleDesk;
let shop: TestShop;
let as: ConsoleDesk['as'];
beforeAll(async () => {
  desk = await openConsoleDesk('letter_procedures');
  ({ shop, as } = desk);
});
afterAll(() => desk.close());

/** A message that was given up, as the consumer would have left it. */
async function givenUp(type: string, key: string = randomUUID()): Promise<number> {
  await shop.pool.query(`INSERT INTO tinystore_inventory.failing_key (consumer, key) VALUES ('ledger', $1)`, [key]);
  const { rows } = await shop.pool.query<{ id: number }>(
    `INSERT INTO tinystore_inventory.dead_letter (consumer, event_id, type, topic, partition, "offset", key, body, reason, fingerprint)
     VALUES ('ledger', $1, $2, $3, 0, 0, $4, '{"broken', 'nobody can read it', 'ledger ' || $2) RETURNING id`,
    [randomUUID(), type, ORDER_TOPIC, key],
  );
  return rows[0]?.id ?? -1;
}

test('Viewers see failing messages and their causes, and may do nothing with them', async () => {
  const id = await givenUp('UNKNOWN');
  const viewer = as('viewer');
  expect((await viewer.deadLetters({})).letters).toMatchObject([{ id, status: 'DEAD', mayDiscard: true }]);
  expect(await viewer.deadLetterGroups()).toMatchObject([{ fingerprint: 'ledger UNKNOWN', letters: 1, parked: 0 }]);
  for (const act of [
    () => viewer.redriveDeadLetter({ id, reason }),
    () => viewer.redriveDeadLetters({ fingerprint: 'ledger UNKNOWN', reason }),
    () => viewer.editDeadLetter({ id, reason, body: '{}' }),
    () => viewer.discardDeadLetter({ id, reason }),
    () => viewer.putBackParkedEvents({ topic: ORDER_TOPIC, key: 'k', reason }),
    () => viewer.askOrderAgain({ shopOrderId: randomUUID(), reason }),
  ])
    await expect(act()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await as('operator').discardDeadLetter({ id, reason })).toEqual({ kind: 'discarded' });
  expect((await viewer.deadLetters({})).letters).toEqual([]);
  expect((await viewer.deadLetters({ status: 'DISCARDED' })).letters).toMatchObject([
    { id, endedBy: 'otto@shop.example' },
  ]);
});

test('A message that moves units can be asked for again, never discarded; each act says who and why', async () => {
  const operator = as('operator');
  const id = await givenUp('INVENTORY_RELEASE');
  expect((await operator.deadLetters({})).letters).toMatchObject([{ id, mayDiscard: false }]);
  await expect(operator.discardDeadLetter({ id, reason })).rejects.toMatchObject({ message: /Close and refund/ });
  await expect(operator.editDeadLetter({ id, reason, body: '{"broken' })).rejects.toMatchObject({
    message: /Nobody could read/,
  });
  await expect(operator.redriveDeadLetter({ id, reason: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await operator.redriveDeadLetter({ id, reason })).toEqual({ kind: 'asked', letters: 1 });
  const { rows } = await shop.pool.query('SELECT actor, action, reason FROM ops.audit_log ORDER BY id DESC LIMIT 1');
  expect(rows).toEqual([{ actor: 'otto@shop.example', action: 'dead-letter.redrive', reason }]);
  await shop.pool.query('DELETE FROM tinystore_inventory.dead_letter WHERE id = $1', [id]);
  await shop.pool.query('DELETE FROM tinystore_inventory.failing_key');
});

test('Parked events are listed by key and put back; what is not parked is refused', async () => {
  const operator = as('operator');
  expect(await operator.parkedEvents()).toEqual([]);
  await expect(operator.putBackParkedEvents({ topic: ORDER_TOPIC, key: 'k', reason })).rejects.toMatchObject({
    message: /parked any more/,
  });
  await expect(operator.askOrderAgain({ shopOrderId: randomUUID(), reason })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
