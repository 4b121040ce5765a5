import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../testing/invariants.ts';
import { openTestStock, type TestStock } from '../stock-desk.testing.ts';
import { applyImport } from './apply-import.ts';
import { reviewImport } from './review-import.ts';
import { uploadImport } from './upload-import.ts';

/** Two people, or one who presses twice, book the same import at the same time. */
let shop: TestStock;
beforeAll(async () => {
  shop = await openTestStock('two_people');
});
afterAll(async () => {
  await shop.settle();
  const broken = await checkInvariants(shop);
  await shop.close();
  expect(broken).toEqual([]);
});

async function uploaded(...rows: string[]) {
  const text = ['ref,shop,sku,change', ...rows].join('\n');
  const answer = await uploadImport(shop.pool, { actor: 'ada', reason: 'yearly count', fileName: 'count.csv', text });
  if (answer.kind !== 'uploaded') throw new Error(`not uploaded: ${JSON.stringify(answer)}`);
  return { importId: answer.importId, actor: 'ada' };
}

/** `second` runs once, while the first has its units from the gate and has not booked them. */
async function applyAround(importId: string, second: () => Promise<unknown>) {
  let done = false;
  const stopAt = async (point: string) => {
    if (point !== 'stock.after-take' || done) return;
    done = true;
    await second();
  };
  return applyImport({ ...shop.deps, stopAt }, { importId, actor: 'ada' });
}
async function stateOf(importId: string) {
  const answer = await reviewImport(shop, importId);
  if (answer.kind !== 'review') throw new Error(answer.message);
  return { status: answer.status, rows: answer.lines.map((line) => line.status) };
}

test('C07 – an import that one of two people has ended books nothing more, and its file may come again', async () => {
  await shop.stock('P1', 10);
  const { importId } = await uploaded('p1,S1,P1,-8');
  // The second finds only two left, because the first holds the others.
  const first = await applyAround(importId, () => applyImport(shop.deps, { importId, actor: 'bob' }));
  expect(first).toMatchObject({ kind: 'done', booked: 0, refused: 1 });
  expect(await stateOf(importId)).toEqual({ status: 'DISCARDED', rows: ['REFUSED'] });
  expect(await shop.figures('P1')).toMatchObject({ total: 10 });
  const again = await uploaded('p1,S1,P1,-8');
  expect(await applyImport(shop.deps, again)).toEqual({ kind: 'done', booked: 1, refused: 0 });
  expect(await shop.figures('P1')).toMatchObject({ total: 2 });
});

test('C07 – a row that one refuses and the other books is booked, and no other file books it again', async () => {
  await shop.stock('P2', 10);
  const { importId } = await uploaded('p2,S1,P2,-8', 'p3,S1,P2,1');
  // The second refuses the first row and has no time for the next one.
  let now = 0;
  const second = () => applyImport(shop.deps, { importId, actor: 'bob' }, now++ === 0 ? 1 : 0);
  await applyAround(importId, second);
  expect(await stateOf(importId)).toEqual({ status: 'APPLIED', rows: ['APPLIED', 'APPLIED'] });
  expect(await shop.figures('P2')).toMatchObject({ total: 3 });
  const again = await uploaded('p2,S1,P2,-1');
  expect(await applyImport(shop.deps, again)).toEqual({ kind: 'done', booked: 0, refused: 1 });
  expect(await shop.figures('P2')).toMatchObject({ total: 3 });
});

test('C07 – a row that another file has booked meanwhile gives its units back', async () => {
  await shop.stock('P4', 10);
  const { importId } = await uploaded('p4,S1,P4,-8', 'p5,S1,P4,1');
  await applyAround(importId, async () => {
    await shop.pool.query(
      `UPDATE tinystore_inventory.stock_import_row SET status = 'REFUSED', refusal = 'as the second would' WHERE import_id = $1 AND line = 2`,
      [importId],
    );
    const other = await uploaded('p4,S1,P4,-2');
    expect(await applyImport(shop.deps, other)).toEqual({ kind: 'done', booked: 1, refused: 0 });
  });
  expect(await stateOf(importId)).toEqual({ status: 'APPLIED', rows: ['REFUSED', 'APPLIED'] });
  await shop.settle();
  expect(await shop.figures('P4')).toMatchObject({ total: 9 });
});
