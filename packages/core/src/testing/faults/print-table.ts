/** The matrix as a Markdown table: seconds to recovery, the letter of the reason why a cell cannot happen, or FAILED. */
import { FAULTS, type Fault } from './faults.ts';
import { REASONS, whyImpossible } from './impossible.ts';
import type { Results } from './results.ts';
import { STEPS, type Step } from './steps.ts';

export interface Sum {
  readonly passed: number;
  readonly failed: number;
  readonly impossible: number;
  readonly notRun: number;
  readonly p50: number;
  readonly p95: number;
  readonly stranded: number;
}

export function printTable(results: Results): string {
  const head = ['step', ...FAULTS.map(({ id }) => id)];
  const rows = STEPS.map((step) => [step.id, ...FAULTS.map((fault) => cell(results, step, fault))]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function printReasons(): string {
  return Object.entries(REASONS)
    .map(([letter, reason]) => `- *${letter}*: cannot happen; ${reason}.`)
    .join('\n');
}

function cell(results: Results, step: Step, fault: Fault): string {
  const reason = whyImpossible(step, fault);
  if (reason) return `*${reason}*`;
  const result = results[step.id]?.[fault.id];
  if (!result) return 'not run';
  return result.failure === undefined ? result.seconds.toFixed(1) : '**FAILED**';
}

export function sumUp(results: Results): Sum {
  const pairs = STEPS.flatMap((step) => FAULTS.map((fault) => ({ step, fault })));
  const possible = pairs.filter(({ step, fault }) => !whyImpossible(step, fault));
  const run = possible.flatMap(({ step, fault }) => results[step.id]?.[fault.id] ?? []);
  const passed = run.filter(({ failure }) => failure === undefined);
  const seconds = passed.map((result) => result.seconds).toSorted((a, b) => a - b);
  const at = (share: number) => seconds[Math.min(seconds.length - 1, Math.floor(seconds.length * share))] ?? 0;
  return {
    passed: passed.length,
    failed: run.length - passed.length,
    impossible: pairs.length - possible.length,
    notRun: possible.length - run.length,
    p50: at(0.5),
    p95: at(0.95),
    stranded: run.reduce((sum, { stranded }) => sum + stranded, 0),
  };
}

export function sentenceOf(sum: Sum): string {
  const { passed, failed, impossible, notRun, p50, p95, stranded } = sum;
  return (
    `${passed} cells passed, ${failed} failed, ${notRun} not run, ${impossible} cannot happen; ` +
    `back to work after ${p50.toFixed(1)} s (p50), ${p95.toFixed(1)} s (p95); ${stranded} SKUs with stranded units.`
  );
}
