/** Explain this number on a shop that lives: now against the stores, the past against what was written down then. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mint } from '../../domain/index.ts';
import { receiveStock } from '../../ledger/index.ts';
import { cancelOrder } from '../../order/index.ts';
import { writeOff } from '../../stock/index.ts';
import { checkInvariants } from '../../testing/invariants.ts';
import { until } from '../../testing/until.ts';
import { openTestBooks, type PlacedLine, type TestBooks } from '../books.testing.ts';
import { reconcile } from '../reconcile.ts';
import { explainFigure } from './explain-figure.ts';
import { FIGURE_NAMES, type Figure, isGateFigure } from './figures.ts';
import { listFigureRows } from './list-rows.ts';

let books: TestBooks;
beforeEach(async () => {
  books = await openTestBooks('explain');
  await books.stock('K1', 500);
});
afterEach(async () => {
  await books.close();
});
const K1 = { shopId: 'S1', skuId: 'K1' };
const ask = (figure: Figure, at?: Date) => explainFigure(books.compare, { ...K1, figure, ...(at && { at }) });
const LEDGER = FIGURE_NAMES.filter((figure) => !isGateFigure(figure));

interface Noted {
  readonly at: Date;
  readonly figures: Record<string, number>;
}

/** The ledger's figures read by hand, and an instant that lies between what happened before and after. */
async function note(): Promise<Noted> {
  const { rows } = await books.pool.query<Record<string, number>>(
    `SELECT total_quantity AS "totalQuantity", reserved_quantity AS "reservedQuantity", confirmed_quantity AS "confirmedQuantity",
       total_quantity + confirmed_quantity AS "ledgerTotal", confirmed_quantity + (SELECT coalesce(sum(quantity), 0)::bigint
         FROM tinystore_inventory.live_holds(ARRAY['S1'], ARRAY['K1'])) AS "ledgerDeducted"
     FROM tinystore_inventory.inventory_stock WHERE sku_id = 'K1'`,
  );
  const clock = async () =>
    (await books.pool.query<{ ms: number }>('SELECT extract(epoch FROM ops.clock_now())::float8 * 1000 AS ms')).rows[0]
      ?.ms ?? 0;
  const at = Math.ceil(await clock());
  await until('the next instant', async () => (await clock()) > at + 1);
  return { at: new Date(at), figures: rows[0] ?? {} };
}

/** A deterministic stream of numbers below `n`. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * n);
  };
}

async function live(steps: number, roll: (n: number) => number): Promise<Noted[]> {
  const noted: Noted[] = [await note()];
  const open: PlacedLine[] = [];
  for (let step = 0; step < steps; step++) {
    const line = open[0];
    const what = roll(7);
    if (what <= 2) open.push(await books.placed('K1', 1 + roll(4)));
    else if (what === 3) await books.settle();
    else if (what === 4 && line) {
      open.shift();
      await cancelOrder(books.desk, { tradeId: line.tradeId, by: { kind: 'buyer', buyerId: line.buyerId } });
    } else if (what === 5 && line) {
      open.shift();
      await books.settle();
      await books.paid(line.tradeId);
    } else
      await receiveStock(books.pool, {
        ...K1,
        quantity: 1 + roll(9),
        operationId: mint(),
        actor: 'ada',
        reason: 'van',
      });
    noted.push(await note());
  }
  return noted;
}

test('C60 – the past answer equals what was written down while orders, ends, sales and receipts went on', async () => {
  const noted = await live(40, dice(7));
  for (const { at, figures } of noted)
    for (const figure of LEDGER)
      expect(await ask(figure, at), `${figure} at ${at.toISOString()}`).toMatchObject({
        kind: 'explained',
        value: figures[figure],
        notExplained: 0,
      });
  expect(new Set(noted.map(({ figures }) => figures.ledgerDeducted)).size).toBeGreaterThan(5);
  await books.settle();
  expect(await checkInvariants(books)).toEqual([]);
});

test('C60 – every figure of now equals its source, and its rows add up', async () => {
  await live(25, dice(11));
  await books.settle();
  await books.placed('K1', 3);
  await books.ghost('K1', 2);
  await books.plant('K1', { deducted: 4, total: -1 });
  const gate = await books.look('K1');
  const { figures } = await note();
  const shown: Record<Figure, number | undefined> = {
    ...{ total: gate.total, deducted: gate.deducted, free: gate.total - gate.deducted, inFlight: 3 + 2, drift: 4 - 1 },
    ...{ totalQuantity: figures.totalQuantity, reservedQuantity: figures.reservedQuantity },
    ...{ confirmedQuantity: figures.confirmedQuantity, ledgerTotal: figures.ledgerTotal },
    ledgerDeducted: figures.ledgerDeducted,
  };
  for (const figure of FIGURE_NAMES) {
    const answer = await ask(figure);
    expect(answer, figure).toMatchObject({ kind: 'explained', value: shown[figure], notExplained: 0 });
    if (answer?.kind === 'explained') expect(answer.rows.reduce((sum, row) => sum + row.units, 0)).toBe(answer.value);
  }
});

test('A counter that its rows do not explain says by how much; it is never hidden', async () => {
  await books.placed('K1', 2);
  await books.settle();
  await books.pool.query(
    `UPDATE tinystore_inventory.inventory_stock SET total_quantity = total_quantity + 5, reserved_quantity = reserved_quantity - 1`,
  );
  expect(await ask('totalQuantity')).toMatchObject({ value: 505, notExplained: 5 });
  expect(await ask('reservedQuantity')).toMatchObject({ value: 1, notExplained: -1 });
  await books.pool.query(
    `UPDATE tinystore_inventory.inventory_stock SET total_quantity = total_quantity - 5, reserved_quantity = reserved_quantity + 1`,
  );
});

test('The past of the gate is what the log has, under the instant of its entry', async () => {
  const before = await note();
  await books.placed('K1', 10);
  await books.settle();
  await books.plant('K1', { deducted: -3 });
  await reconcile(books.compare);
  const found = await note();
  await books.gatekeeper.runOnce();
  await books.placed('K1', 1);

  expect(await ask('deducted', before.at)).toMatchObject({ kind: 'unknown', why: 'NOT_LOGGED' });
  expect(await ask('deducted', found.at)).toMatchObject({
    kind: 'explained',
    source: 'log',
    value: 7,
    notExplained: 0,
    rows: [
      { name: 'CONFIRMED', units: 0 },
      { name: 'RESERVED', units: 10 },
      { name: 'COUNTER_DIFFERS', units: -3 },
    ],
  });
  expect(await ask('drift', new Date())).toMatchObject({ value: -3 });
  const answer = await ask('free', found.at);
  expect(answer).toMatchObject({ value: 493 });
  expect(answer?.kind === 'explained' && answer.at < found.at).toBe(true);
});

test('The rows behind each row come by page and add up to it', async () => {
  for (let n = 1; n <= 5; n++)
    await receiveStock(books.pool, { ...K1, quantity: n, operationId: mint(), actor: 'ada' });
  await writeOff(
    { ...books.compare, limitMs: 5000 },
    { ...K1, quantity: 2, operationId: mint(), actor: 'ada', reason: 'broken' },
  );
  const lines = [];
  for (let n = 0; n < 5; n++) lines.push(await books.placed('K1', 2));
  await books.settle();
  for (const { tradeId } of lines.slice(0, 2)) await books.paid(tradeId);
  for (let n = 0; n < 3; n++) await books.placed('K1', 1);
  for (const figure of ['totalQuantity', 'confirmedQuantity', 'ledgerDeducted', 'deducted'] as const) {
    const answer = await ask(figure);
    for (const row of answer?.kind === 'explained' ? answer.rows : []) {
      if (!row.leadsTo || !('list' in row.leadsTo) || row.leadsTo.list === 'pendingEffects') continue;
      const rows = await readAll(row.leadsTo.list);
      expect(Math.abs(rows.reduce((sum, { units }) => sum + units, 0)), row.name).toBe(Math.abs(row.units));
      expect(rows).toHaveLength(row.count ?? 0);
    }
  }
  expect((await readAll('pendingEffects')).map(({ what }) => what)).toEqual(['SETTLE', 'SETTLE']);
  expect(await readAll('sold')).toMatchObject([{ tradeId: lines[1]?.tradeId }, { tradeId: lines[0]?.tradeId }]);
});

async function readAll(list: Parameters<typeof listFigureRows>[1]['list']) {
  const rows = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listFigureRows>> = await listFigureRows(books.pool, {
      ...K1,
      list,
      limit: 2,
      ...(after && { after }),
    });
    rows.push(...page.rows);
    after = page.next;
  } while (after);
  return rows;
}

test('What cannot be read is said: a SKU that nobody knows, one sold at the ledger, a gate that is closed', async () => {
  expect(await explainFigure(books.compare, { shopId: 'S1', skuId: 'NO', figure: 'total' })).toBeUndefined();
  await books.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
  await books.gate.refresh();
  expect(await ask('total')).toMatchObject({ kind: 'unknown', why: 'GATE_CLOSED' });
  expect(await ask('ledgerTotal')).toMatchObject({ kind: 'explained', value: 500 });
  await books.pool.query(`UPDATE tinystore_inventory.inventory_stock SET gate_mode = 'DATABASE'`);
  expect(await ask('total')).toMatchObject({ kind: 'unknown', why: 'NOT_AT_GATE' });
  await books.pool.query(`UPDATE tinystore_inventory.inventory_stock SET gate_mode = 'REDIS'`);
});
