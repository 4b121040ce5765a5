/**
 * Runs the fault matrix on the stack that HOLDFAST_STACK_DIR names, all of it or a part: main.ts [--step S]... [--fault F]...
 * Prints each cell as it ends, and the table; writes the table into docs/reliability.md; exits 1 unless all passed in time.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../read-sources.ts';
import { FAULTS, type Fault } from './faults.ts';
import { whyImpossible } from './impossible.ts';
import { printReasons, printTable, sentenceOf, sumUp } from './print-table.ts';
import { openProduct, type Product, type StackAddresses } from './product.ts';
import { keepResult, readResults } from './results.ts';
import { type CellResult, runCell } from './run-cell.ts';
import { STEPS, type Step } from './steps.ts';

const P95_LIMIT_SECONDS = 30;
const PAGE = join(ROOT, 'docs', 'reliability.md');
const MARKS = ['<!-- fault matrix -->', '<!-- end of fault matrix -->'] as const;

const { values } = parseArgs({
  options: { step: { type: 'string', multiple: true }, fault: { type: 'string', multiple: true } },
});
const steps = choose(STEPS, values.step);
const faults = choose(FAULTS, values.fault);
const { HOLDFAST_STACK_DIR: dir, KAFKA_BROKERS: brokers } = process.env;
if (!dir || !brokers) throw new Error('start it with npm run faults');
await runCells({ dir, brokers });
const results = readResults();
const sum = sumUp(results);
const text = `${sentenceOf(sum)}\n\n${printTable(results)}\n\n${printReasons()}`;
console.log(`\n${text}`);
writePage(text);
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
      console.log(lineOf(step, fault, result, (performance.now() - from) / 1000));
      if (result.failure === undefined) continue;
      await product.close();
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

function writePage(matrix: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = MARKS.map((mark) => page.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin) throw new Error(`${PAGE} lacks its marks`);
  writeFileSync(PAGE, `${page.slice(0, begin + MARKS[0].length)}\n\n${matrix}\n\n${page.slice(end)}`);
}
