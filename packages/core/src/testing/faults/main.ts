/**
 * Runs the fault matrix on the stack that HOLDFAST_STACK_DIR names, all of it or a part: main.ts [--step S]... [--fault F]...
 * Prints each cell as it ends, and the table; writes the table into docs/reliability.md; exits 1 unless all passed in time.
 */
import { parseArgs } from 'node:util';
import { FAULTS, type Fault } from './faults.ts';
import { whyImpossible } from './impossible.ts';
import { sumUp } from './print-table.ts';
import { openProduct, type Product, type StackAddresses } from './product.ts';
import { keepResult, readResults } from './results.ts';
import { type CellResult, runCell } from './run-cell.ts';
import { STEPS, type Step } from './steps.ts';
import { pageText, writePage } from './write-page.ts';

const P95_LIMIT_SECONDS = 30;

const { values } = parseArgs({
  options: { step: { type: 'string', multiple: true }, fault: { type: 'string', multiple: true } },
});
const steps = choose(STEPS, values.step);
const faults = choose(FAULTS, values.fault);
const { HOLDFAST_STACK_DIR: dir, KAFKA_BROKERS: brokers } = process.env;
if (!dir || !brokers) throw new Error('start it with npm run faults');
// Servers and processes of the run end with it.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(130));
await runCells({ dir, brokers });
const results = readResults();
const sum = sumUp(results);
console.log(`\n${pageText(results)}`);
process.exit(sum.failed === 0 && sum.stranded === 0 && sum.p95 <= P95_LIMIT_SECONDS ? 0 : 1);

/** One product for many cells; after a failed one a new one, so that it spoils no other. */
async function runCells(stack: StackAddresses): Promise<void> {
  let product: Product | undefined;
  for (const step of steps)
    for (const fault of faults) {
      if (whyImpossible(step, fault)) continue;
      const from = performance.now();
      product ??= await openProduct(stack);
      const result = await runCell(product, step, fault);
      keepResult(step.id, fault.id, result);
      writePage(readResults());
      console.log(lineOf(step, fault, result, (performance.now() - from) / 1000));
      if (result.failure === undefined) continue;
      await product.servers.reviveAll();
      await product.close().catch((error: unknown) => console.error(`not closed cleanly: ${String(error)}`));
      product = undefined;
    }
  await product?.close();
}

function lineOf(step: Step, fault: Fault, { seconds, failure }: CellResult, tookSeconds: number): string {
  const verdict = failure === undefined ? `passed, back after ${seconds.toFixed(1)} s` : `FAILED: ${failure}`;
  return `${step.id} x ${fault.id}: ${verdict} (${tookSeconds.toFixed(0)} s)`;
}

function choose<T extends { readonly id: string }>(
  all: readonly T[],
  wanted: readonly string[] | undefined,
): readonly T[] {
  const unknown = (wanted ?? []).filter((id) => !all.some((one) => one.id === id));
  if (unknown.length > 0)
    throw new Error(`no ${unknown.join(', ')}; there are:\n  ${all.map((one) => one.id).join('\n  ')}`);
  return wanted ? all.filter(({ id }) => wanted.includes(id)) : all;
}
