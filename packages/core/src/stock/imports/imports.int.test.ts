import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariants } from '../../testing/invariants.ts';
import { openTestStock, type TestStock } from '../stock-desk.testing.ts';
import { applyImport } from './apply-import.ts';
import { discardImport } from './discard-import.ts';
import { listImports, reviewImport } from './review-import.ts';
import { undoImport } from './undo-import.ts';
import { uploadImport } from './upload-import.ts';

let shop: TestStock;
beforeAll(async () => {
  shop = await openTestStock('imports');
});
afterAll(async () => {
  await shop.settle();
  const broken = await checkInvariants(shop);
  await shop.close();
  expect(broken).toEqual([]);
});

const by = { actor: 'ada', reason: 'yearly count' };
const upload = (...rows: string[]) =>
  uploadImport(shop.pool, { ...by, fileName: 'count.csv', text: ['ref,shop,sku,change', ...rows].join('\n') });
async function uploaded(...rows: string[]) {
  const answer = await upload(...rows);
  if (answer.kind !== 'uploaded') throw new Error(`not uploaded: ${JSON.stringify(answer)}`);
  return { importId: answer.importId, actor: 'ada' };
}
async function review(importId: string) {
  const answer = await reviewImport(shop, importId);
  if (answer.kind !== 'review') throw new Error(answer.message);
  return answer;
}

test('A dry run shows each row against stock and holds of this moment, and books nothing', async () => {
  await shop.stock('A1', 10);
  await shop.stock('A2', 5);
  await shop.placed('A1', 4);
  const before = [await shop.figures('A1'), await shop.figures('A2'), await shop.look('A1')];
  const { importId } = await uploaded(
    'a1,S1,A1,-7',
    'a2,S1,A1,-6',
    'a3,S1,A2,3',
    'a4,S1,A9,1',
    'a5,S1,A2,999999999999',
  );
  // The hold of A1 is not recorded yet; the gate knows it.
  expect((await review(importId)).lines).toMatchObject([
    { line: 2, verdict: 'below held', totalBefore: 10, free: 6 },
    { line: 3, verdict: 'ok', totalBefore: 10, totalAfter: 4 },
    { line: 4, verdict: 'ok', totalBefore: 5, totalAfter: 8 },
    { line: 5, verdict: 'unknown SKU' },
    { line: 6, verdict: 'too many', totalBefore: 8 },
  ]);
  expect([await shop.figures('A1'), await shop.figures('A2'), await shop.look('A1')]).toEqual(before);
  expect(await discardImport(shop.pool, { importId, actor: 'ada' })).toEqual({ kind: 'discarded' });
  expect(await applyImport(shop.deps, { importId, actor: 'ada' })).toMatchObject({ code: 'WRONG_STATE' });
});

test('C07 – Rows of a file are booked once each, however often the file is uploaded and applied', async () => {
  await shop.stock('B1', 8);
  const rows = ['b1,S1,B1,+5', 'b2,S1,B1,+5'];
  const action = await uploaded(...rows);
  expect(await upload(...rows)).toEqual({ kind: 'repeated', importId: action.importId });
  const runs = await Promise.all([1, 2, 3].map(() => applyImport(shop.deps, action)));
  expect(runs.map((run) => run.kind)).toEqual(['done', 'done', 'done']);
  expect(await applyImport(shop.deps, action)).toMatchObject({ code: 'WRONG_STATE' });
  expect(await upload(...rows)).toMatchObject({ kind: 'repeated' });
  expect(await shop.figures('B1')).toMatchObject({ total: 18 });
  // The same rows in another file are other files' rows: refused by their reference.
  const again = await uploaded(...rows, 'b3,S1,B1,-1');
  expect((await review(again.importId)).lines.map((line) => line.verdict)).toEqual([
    'booked before',
    'booked before',
    'ok',
  ]);
  expect(await applyImport(shop.deps, again)).toEqual({ kind: 'done', booked: 1, refused: 2 });
  await shop.settle();
  expect(await shop.operations('B1')).toMatchObject([
    { kind: 'IMPORT', quantity: 5, ...by },
    { kind: 'IMPORT', quantity: 5, ...by },
    { kind: 'IMPORT', quantity: -1, ...by },
  ]);
  expect(await shop.look('B1')).toMatchObject({ total: 18, deducted: 1 });
  const { rows: log } = await shop.pool.query(`SELECT action FROM ops.audit_log WHERE target = $1 ORDER BY id`, [
    action.importId,
  ]);
  expect(log.map((entry: { action: string }) => entry.action)).toEqual([
    'stock.import_uploaded',
    'stock.import_repeated',
    'stock.import_applying',
    'stock.import_applied',
    'stock.import_repeated',
  ]);
});

test('What cannot be booked is refused by its row, with the free number, and the others are booked', async () => {
  await shop.stock('C1', 10);
  await shop.placed('C1', 4);
  const action = await uploaded('c1,S1,C1,-7', 'c2,S1,C1,-6', 'c3,S1,C9,1');
  expect(await applyImport(shop.deps, action)).toEqual({ kind: 'done', booked: 1, refused: 2 });
  const { status, lines } = await review(action.importId);
  expect(status).toBe('APPLIED');
  expect(lines).toMatchObject([
    { status: 'REFUSED', refusal: expect.stringContaining('only 6') },
    { status: 'APPLIED', totalBefore: 10, totalAfter: 4 },
    { status: 'REFUSED', refusal: expect.stringContaining('no SKU C9') },
  ]);
});

test('An import that nothing could be booked of has not happened: its file may come again', async () => {
  const action = await uploaded('d1,S1,D1,1');
  expect(await applyImport(shop.deps, action)).toEqual({ kind: 'done', booked: 0, refused: 1 });
  await shop.stock('D1', 1);
  const again = await uploaded('d1,S1,D1,1');
  expect(await applyImport(shop.deps, again)).toEqual({ kind: 'done', booked: 1, refused: 0 });
});

test('An import is undone by opposite differences, once; what was sold meanwhile stays and says so', async () => {
  await shop.stock('E1', 3);
  await shop.stock('E2', 3);
  const action = await uploaded('e1,S1,E1,5', 'e2,S1,E2,-2', 'e3,S1,E1,-1');
  await applyImport(shop.deps, action);
  await shop.settle();
  await shop.placed('E1', 7);
  expect(await undoImport(shop.deps, action)).toEqual({ kind: 'done', booked: 2, refused: 1 });
  await shop.settle();
  expect(await shop.figures('E1')).toMatchObject({ total: 8 });
  expect(await shop.figures('E2')).toMatchObject({ total: 3 });
  const { status, lines } = await review(action.importId);
  expect(status).toBe('APPLIED');
  expect(lines).toMatchObject([
    { status: 'APPLIED', refusal: expect.stringContaining('only 1') },
    { status: 'UNDONE' },
    { status: 'UNDONE' },
  ]);

  await shop.receive('E1', 4);
  await shop.settle();
  expect(await undoImport(shop.deps, action)).toEqual({ kind: 'done', booked: 1, refused: 0 });
  expect(await undoImport(shop.deps, action)).toMatchObject({ code: 'WRONG_STATE' });
  expect(await shop.figures('E1')).toMatchObject({ total: 7 });
  // Undone, the file counts as new.
  const again = await uploaded('e1,S1,E1,5', 'e2,S1,E2,-2', 'e3,S1,E1,-1');
  expect((await review(again.importId)).lines.map((line) => line.verdict)).toEqual(['ok', 'ok', 'ok']);
});

test('An import that stops before or after a booking goes on where it was, and books nothing twice', async () => {
  await shop.stock('F1', 10);
  const action = await uploaded('f1,S1,F1,1', 'f2,S1,F1,2', 'f3,S1,F1,-4');
  let passes = 0;
  const dying = {
    ...shop.deps,
    async stopAt(point: string) {
      // Row 2 dies before it is booked, row 3 after.
      if (point === 'stock.import-row' && ++passes === 2) throw new Error('planted');
      if (point === 'stock.after-commit') throw new Error('planted');
    },
  };
  await expect(applyImport(dying, action)).rejects.toThrow('planted');
  expect(await review(action.importId)).toMatchObject({ status: 'APPLYING', applied: 1 });
  await shop.settle();
  await expect(applyImport(dying, action)).rejects.toThrow('planted');
  // The booking itself has marked its row.
  expect(await review(action.importId)).toMatchObject({ status: 'APPLYING', applied: 3 });
  expect(await applyImport(shop.deps, action)).toMatchObject({ kind: 'done', booked: 0, refused: 0 });
  expect(await shop.figures('F1')).toMatchObject({ total: 9 });
  expect((await listImports(shop.pool)).find((head) => head.importId === action.importId)).toMatchObject({
    status: 'APPLIED',
    rows: 3,
    applied: 3,
  });
});

test('A closed gate stops an import, and nothing of it is lost', async () => {
  await shop.stock('G1', 10);
  const action = await uploaded('g1,S1,G1,1', 'g2,S1,G1,-2');
  await shop.settle();
  // Nobody may wake the gatekeeper, which would open it again.
  const closed = { ...shop.deps, waker: { wake: () => undefined }, limitMs: 50 };
  await shop.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = false');
  await shop.gate.refresh();
  expect(await applyImport(closed, action)).toMatchObject({
    kind: 'stopped',
    booked: 1,
    why: expect.stringContaining('gate'),
  });
  await shop.pool.query('UPDATE tinystore_inventory.gate_epoch SET open = true');
  await shop.gate.refresh();
  expect(await applyImport(shop.deps, action)).toEqual({ kind: 'done', booked: 1, refused: 0 });
  expect(await shop.figures('G1')).toMatchObject({ total: 9 });
});
