import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cancelOrder } from '../order/index.ts';
import { inTransaction, type Sql } from '../platform/index.ts';
import { openTestBooks, type TestBooks } from '../reconcile/books.testing.ts';
import { checkInvariants, findBroken, waitUntilQuiet } from './invariants.ts';

/** A shop that has seen everything: sold, held, cancelled by an operator, refused. Its own checks pass. */
let books: TestBooks;
let sold: { tradeId: string; reservationId: string; shopOrderId: string };
let held: { tradeId: string; reservationId: string; shopOrderId: string };
let ended: { tradeId: string; reservationId: string; shopOrderId: string };
beforeAll(async () => {
  books = await openTestBooks('invariants');
  await books.stock('K1', 10);
  sold = await books.placed('K1', 2);
  held = await books.placed('K1', 3);
  ended = await books.placed('K1', 1);
  await books.settle();
  await books.paid(sold.tradeId);
  await cancelOrder(books.desk, {
    tradeId: ended.tradeId,
    by: { kind: 'operator', name: 'ada', reason: 'asked by phone' },
  });
  await books.settle();
});
afterAll(async () => {
  await books.close();
});

class Undo extends Error {}

/** What is broken after the change, which is then taken back. */
async function after(change: (tx: Sql) => Promise<unknown>): Promise<string[]> {
  let found: string[] = [];
  await inTransaction(books.pool, async (tx) => {
    await change(tx);
    found = (await findBroken(tx)).map((violation) => `${violation.invariant}: ${violation.sentence}`);
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return found;
}
const plant = (...statements: string[]) =>
  after(async (tx) => {
    for (const statement of statements) await tx.query(statement);
  });
const I = 'tinystore_inventory';
const O = 'tinystore_order';

test('a healthy shop has no violation, and is quiet', async () => {
  await waitUntilQuiet(books);
  expect(await checkInvariants({ ...books, acknowledged: [sold.tradeId, held.tradeId, ended.tradeId] })).toEqual([]);
});

describe('each invariant can fail', () => {
  const free = `ALTER TABLE ${I}.inventory_stock DROP CONSTRAINT reserved_fits_total`;
  const unguard = `ALTER TABLE ${I}.inventory_reservation DISABLE TRIGGER inventory_reservation_final`;
  test('1: more used than put in', async () => {
    expect(
      await plant(
        unguard,
        `UPDATE ${I}.inventory_reservation SET quantity = 50 WHERE reservation_id = '${held.reservationId}'`,
      ),
    ).toContain('1: more units confirmed and held than ever put in');
  });
  test('1: a negative counter', async () => {
    expect(
      await plant(
        free,
        `ALTER TABLE ${I}.inventory_stock DROP CONSTRAINT inventory_stock_total_quantity_check`,
        `UPDATE ${I}.inventory_stock SET total_quantity = -1`,
      ),
    ).toContain('1: a negative counter, or more reserved than on hand');
  });
  test('2: movements', async () => {
    expect(await plant(`UPDATE ${I}.inventory_stock SET total_quantity = total_quantity + 1`)).toEqual([
      '2: the movements do not add up to total_quantity',
    ]);
  });
  test.each(['reserved_quantity', 'confirmed_quantity'])('2: %s', async (column) => {
    expect(await plant(`UPDATE ${I}.inventory_stock SET ${column} = ${column} + 1`)).toEqual([
      '2: the rows do not add up to reserved_quantity or confirmed_quantity',
    ]);
  });
  test('2: a sale without its movement', async () => {
    expect(
      await plant(
        `ALTER TABLE ${I}.stock_movement DISABLE TRIGGER stock_movement_append_only`,
        `DELETE FROM ${I}.stock_movement WHERE kind = 'CONFIRM'`,
      ),
    ).toContain('2: a confirmed row and its movement do not match');
  });
  test('4: a line without its hold', async () => {
    expect(
      await plant(`UPDATE ${O}.order_line_hold SET state = 'PAST' WHERE reservation_id = '${held.reservationId}'`),
    ).toContain('4: an order line without exactly one current hold of its units, or a hold without its line');
  });
  test('4: half an order', async () => {
    expect(
      await plant(
        `INSERT INTO ${O}.order_line (shop_order_id, sku_id, name, quantity, unit_price_minor) VALUES ('${held.shopOrderId}', 'K9', 'x', 1, 1)`,
        `INSERT INTO ${O}.order_line_hold (reservation_id, shop_order_id, trade_id, shop_id, sku_id, quantity, gate_mode) VALUES (gen_random_uuid(), '${held.shopOrderId}', '${held.tradeId}', 'S1', 'K9', 1, 'REDIS')`,
      ),
    ).toContain('4: an order of which the ledger has some lines in one state and some in another');
  });
  test('4: a row of other units than its hold', async () => {
    expect(
      await plant(
        `ALTER TABLE ${O}.order_line_hold DISABLE TRIGGER order_line_hold_kept`,
        `UPDATE ${O}.order_line_hold SET shop_id = 'S2' WHERE reservation_id = '${held.reservationId}'`,
      ),
    ).toContain('4: a ledger row and the hold it was made from differ');
  });
  test('4: a shop order that says more than its rows', async () => {
    expect(await plant(`UPDATE ${O}.shop_order SET status = 'CONFIRMED' WHERE id = '${held.shopOrderId}'`)).toEqual([
      '4: a shop order whose state its ledger rows do not bear out',
      '10: a paid trade that does not follow its shop orders (P29)',
    ]);
  });
  test('5: a final state that moved on', async () => {
    expect(
      await plant(
        unguard,
        `UPDATE ${I}.inventory_reservation SET status = 'RELEASED' WHERE reservation_id = '${sold.reservationId}'`,
      ),
    ).toEqual(
      expect.arrayContaining([
        '5: a row whose times tell of another path than its state',
        '5: the guards of final states and append-only tables are not in force',
      ]),
    );
  });
  test('6: one key, two orders', async () => {
    expect(
      await plant(
        `ALTER TABLE ${O}.trade DROP CONSTRAINT trade_buyer_id_idempotency_key_key`,
        `UPDATE ${O}.trade SET buyer_id = gen_random_uuid(), idempotency_key = 'the same key'`,
        `UPDATE ${O}.trade SET buyer_id = (SELECT buyer_id FROM ${O}.trade LIMIT 1)`,
      ),
    ).toContain('6: one idempotency key with several orders, or one cart with several unpaid ones');
  });
  test('7: an acknowledged order that is gone', async () => {
    expect(await checkInvariants({ ...books, acknowledged: ['01890a5d-ac96-774b-bcce-b302099a8057'] })).toMatchObject([
      { invariant: 7 },
    ]);
  });
  test('8: an event that was never sent', async () => {
    expect(await plant(`INSERT INTO ${O}.outbox_pending (id) SELECT max(id) FROM ${O}.outbox_event`)).toEqual([
      '8: an event that is neither sent nor parked with its reason',
    ]);
  });
  test('8: an event that nobody was asked to send', async () => {
    expect(await plant(`DELETE FROM ${O}.outbox_sent WHERE id = (SELECT max(id) FROM ${O}.outbox_event)`)).toEqual([
      '8: an event that is neither sent nor parked with its reason',
    ]);
  });
  test('8: an event that the relay sent and nobody applied', async () => {
    expect(
      await plant(
        `UPDATE ${O}.outbox_sent s SET partition = 1 FROM ${O}.outbox_event e WHERE e.id = s.id AND e.type = 'INVENTORY_RELEASE'`,
      ),
    ).toEqual(['8: a sent event that its consumer never applied']);
  });
  test('8: an effect that no event asked for', async () => {
    expect(
      await plant(`INSERT INTO ${I}.inbox_event (consumer, event_id) VALUES ('ledger', gen_random_uuid())`),
    ).toEqual(['8: an effect of an event that nobody wrote']);
  });
  test('8: C36 – an order without its outbox row', async () => {
    expect(await plant(`DELETE FROM ${O}.outbox_event WHERE key = '${held.shopOrderId}'`)).toEqual([
      '8: an order without the events or the payment intent of its transaction',
    ]);
  });
  test('9: an end without its give-back', async () => {
    expect(await plant(`DELETE FROM ${I}.gate_effect WHERE kind = 'GIVE_BACK'`)).toEqual([
      '9: a final row without exactly its one gate effect, or an effect that the row does not ask for',
    ]);
  });
  test('9: a give-back of a living hold', async () => {
    expect(
      await plant(
        `INSERT INTO ${I}.gate_effect (kind, shop_id, sku_id, reservation_id, quantity) VALUES ('GIVE_BACK', 'S1', 'K1', '${held.reservationId}', 3)`,
      ),
    ).toEqual(['9: a final row without exactly its one gate effect, or an effect that the row does not ask for']);
  });
  test('9: an abandoned hold that an order names', async () => {
    expect(
      await plant(
        `INSERT INTO ${I}.abandoned_hold (reservation_id, shop_id, sku_id, quantity, cause) VALUES ('${held.reservationId}', 'S1', 'K1', 3, 'GHOST')`,
      ),
    ).toEqual(['9: an abandoned hold that an order or the ledger names']);
  });
  test('10: another amount', async () => {
    expect(await plant(`UPDATE ${O}.payment_event SET amount_minor = 1`)).toEqual([
      '10: a payment of another amount than its order',
    ]);
  });
  test('10: a second payment of one order', async () => {
    expect(
      await plant(
        `INSERT INTO ${O}.payment_event SELECT 'evt_other', intent_ref, trade_id, kind, attempt, amount_minor, currency, payload, received_at, judged_at, verdict FROM ${O}.payment_event`,
      ),
    ).toEqual(['10: an order paid by several payments']);
  });
  test('10: sold and not paid', async () => {
    expect(await plant(`DELETE FROM ${O}.payment_event`)).toEqual([
      '10: a paid order that is not confirmed, or confirmed units that nobody paid',
    ]);
  });
  test('10: late money without its row', async () => {
    expect(
      await plant(
        `INSERT INTO ${O}.payment_event SELECT 'evt_late', intent_ref, '${ended.tradeId}', kind, attempt, amount_minor, currency, payload, received_at, judged_at, 'LATE' FROM ${O}.payment_event`,
      ),
    ).toEqual(['10: money that bought nothing and is not openly due back']);
  });
  test('10: a notice that nobody judged', async () => {
    expect(
      await plant(
        `INSERT INTO ${O}.payment_event (event_id, intent_ref, kind, attempt, payload) VALUES ('evt_new', 'x', 'SUCCEEDED', 1, '{}')`,
      ),
    ).toEqual(['10: a notice of a payment that is still not judged, or an order stuck on its way to paid']);
  });
  test('11: a repair by nobody', async () => {
    expect(
      await plant(
        `INSERT INTO ${I}.inventory_reconcile_log (run_id, kind, before, after, cause, actor) VALUES (gen_random_uuid(), 'REPAIR', '{}', '{}', 'x', ' ')`,
      ),
    ).toEqual(['11: an operator action or a repair that does not say who and why']);
  });
  test('11: a cancel by an operator that the audit log does not know', async () => {
    expect(
      await plant('ALTER TABLE ops.audit_log DISABLE TRIGGER audit_log_append_only', 'DELETE FROM ops.audit_log'),
    ).toContain('11: an order cancelled by an operator without an audit entry');
  });
});
