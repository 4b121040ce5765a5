/**
 * One cell of the fault matrix: under load a step is made to stand still, the fault strikes there and is lifted, and
 * then everything has to come back by itself: a whole purchase, an empty pipeline, equal books.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkInvariants, type Violation, waitUntilQuiet } from '../invariants.ts';
import { until } from '../until.ts';
import type { Fault, Stand } from './faults.ts';
import { type Product, SOLD } from './product.ts';
import { buyUntilConfirmed } from './purchase.ts';
import { type Shoppers, startShoppers } from './shoppers.ts';
import type { Step } from './steps.ts';

export interface CellResult {
  /** From the lifting of the fault to the first purchase that is CONFIRMED. */
  readonly seconds: number;
  /** Units that no order, event or effect accounts for, when all is at rest. */
  readonly stranded: number;
  readonly failure?: string;
}

const REACH_LIMIT_MS = 20_000;
const REST_LIMIT_MS = 60_000;
const SOON_MS = 3000;
const LOOK_AGAIN_MS = 100;
/** The invariant that compares both books. */
const AT_THE_GATE = 3;

export async function runCell(product: Product, step: Step, fault: Fault): Promise<CellResult> {
  const { pool } = product;
  const shoppers = startShoppers(product.client, SOLD);
  const repairsBefore = (await readRepairs(pool)).length;
  let seconds = 0;
  let finish: (() => Promise<unknown>) | undefined;
  try {
    const held = await reach(product, step);
    finish = await fault.strike({ product, step, held, shoppers });
    seconds = await buyUntilConfirmed(product);
    await finish?.();
    finish = undefined;
    await step.tidy?.(product);
    await shoppers.stop();
    return { seconds, ...(await rest(product, shoppers, repairsBefore)) };
  } catch (error) {
    await Promise.allSettled([shoppers.stop(), finish?.()]);
    return { seconds, stranded: 0, failure: error instanceof Error ? error.message : String(error) };
  }
}

async function reach(product: Product, step: Step): Promise<Stand['held']> {
  const link = product.links[step.link];
  product.redisServer.remember();
  await buyUntilConfirmed(product);
  await step.prepare?.(product);
  const met = link.hold(step.place);
  let held: Stand['held'] | undefined;
  void met.then((found) => {
    held = found;
  });
  try {
    const found = await until(`the step "${step.id}" is reached`, () => held, REACH_LIMIT_MS);
    await step.stands?.(product);
    return found;
  } catch (error) {
    link.forget();
    throw error;
  }
}

async function rest(
  product: Product,
  { acknowledged, untyped }: Shoppers,
  repairsBefore: number,
): Promise<Omit<CellResult, 'seconds'>> {
  const { pool, redisUrl } = product;
  await waitUntilQuiet({ pool }, { limitMs: REST_LIMIT_MS });
  const violations = await whenEqual(() => checkInvariants({ pool, redisUrl, acknowledged }));
  const stranded = violations.filter(({ invariant }) => invariant === AT_THE_GATE).length;
  const repairs = (await readRepairs(pool)).slice(repairsBefore);
  const { rows: letters } = await pool.query<{ text: string }>(
    `SELECT type || ': ' || reason AS text FROM tinystore_inventory.dead_letter WHERE status <> 'RESOLVED'`,
  );
  const wrong = [
    ...violations.map((v) => `invariant ${v.invariant}: ${v.sentence}: ${v.subject}: ${v.detail}`),
    ...repairs.map((text) => `reconcile had to put right what no fault may break: ${text}`),
    ...letters.map(({ text }) => `dead letter ${text}`),
    ...untyped.map((text) => `an answer that is none: ${text}`),
    ...endedProcesses(product),
  ];
  return { stranded, ...(wrong.length > 0 && { failure: wrong.slice(0, 5).join('\n') }) };
}

/** The gate held too little: nobody may have to repair that, however fast it is done. What a cell plants is on another SKU. */
async function readRepairs(pool: Product['pool']): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>(
    `SELECT cause || ' ' || before::text AS text FROM tinystore_inventory.inventory_reconcile_log
     WHERE cause LIKE 'held too little%' AND sku_id = $1 ORDER BY id`,
    [SOLD],
  );
  return rows.map(({ text }) => text);
}

/** A hold without an order waits for the ghost sweep; nothing else of this list has to wait for anything. */
async function whenEqual(look: () => Promise<Violation[]>): Promise<Violation[]> {
  const from = performance.now();
  for (;;) {
    const violations = await look();
    const limitMs = violations.every(({ invariant }) => invariant === AT_THE_GATE) ? REST_LIMIT_MS : SOON_MS;
    if (violations.length === 0 || performance.now() - from > limitMs) return violations;
    await sleep(LOOK_AGAIN_MS);
  }
}

function endedProcesses(product: Product): string[] {
  return (['web', 'worker'] as const).flatMap((name) => {
    const code = product.process(name).ended();
    return code === null ? [] : [`${name} ended by itself: ${code}\n${product.process(name).lastLines()}`];
  });
}
