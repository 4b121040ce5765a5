/** A sample of the fault matrix (`npm run faults` runs all of it), and proof that a cell can fail. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULTS, type Fault } from './faults.ts';
import { openProduct, type Product } from './product.ts';
import { runCell } from './run-cell.ts';
import { STEPS } from './steps.ts';

let product: Product;
beforeAll(async () => {
  const { HOLDFAST_STACK_DIR: dir = '', KAFKA_BROKERS: brokers = '' } = process.env;
  product = await openProduct({ dir, brokers });
});
afterAll(() => product.close());

const find = <T extends { readonly id: string }>(all: readonly T[], id: string): T => {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

test.each([
  ['gate applied, reply lost', 'reset after delivery'],
  ['commit', 'reset after delivery'],
  ['commit, reply lost', 'kill -9 web'],
  ['produce, reply lost', 'black hole 3 s'],
  ['ledger commit', 'kill -9 worker'],
  ['confirm commit', 'doubled'],
  ['webhook', 'doubled'],
  ['gate effect', 'Redis back empty'],
] as const)(
  '%s x %s: the shop sells again by itself, both books agree, and no unit is stranded',
  async (step, fault) => {
    const { failure, stranded } = await runCell(product, find(STEPS, step), find(FAULTS, fault));
    expect(failure).toBeUndefined();
    expect(stranded).toBe(0);
  },
);

test('A cell fails when stock has changed without a movement', async () => {
  const theft: Fault = {
    id: 'theft',
    strike: async ({ product: { pool }, held }) => {
      held.forward();
      await pool.query(
        `UPDATE tinystore_inventory.inventory_stock SET total_quantity = total_quantity - 1 WHERE sku_id = 'K2'`,
      );
      return undefined;
    },
  };
  const { failure } = await runCell(product, find(STEPS, 'claim'), theft);
  expect(failure).toContain('invariant 2');
});
