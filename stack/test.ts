import { buildWeb } from './apps/build-web.ts';
import { runBrowserTests } from './checks/run-browser-tests.ts';
import type { CheckContext } from './checks/run-check.ts';
import { runVitest } from './checks/run-vitest.ts';
import { checkStatically, generate } from './checks/static-checks.ts';
import { addUp, exitCode, ONE_FAILED, type Tally } from './checks/tally.ts';
import { type Run, runProgram } from './process/run-program.ts';
import { startThrowAway, type ThrowAway } from './throw-away.ts';

// `npm test`: proves everything against real servers in a throw-away folder. A part alone, with an optional file filter:
// `npm test -- static`, `-- unit [filter]`, `-- int [filter]`, `-- e2e [filter]`; only by name: `-- long [filter]`. The last line is the sum of all phases.

const PARTS = ['static', 'unit', 'int', 'e2e', 'long'] as const;
type Part = (typeof PARTS)[number];

await runProgram(async (run) => {
  const [wanted, ...filters] = process.argv.slice(2);
  const parts = PARTS.filter((part) => (wanted === undefined ? part !== 'long' : part === wanted));
  if (parts.length === 0) throw new Error(`unknown part "${wanted}", one of: ${PARTS.join(', ')}`);
  const tallies: Tally[] = [];
  // Undos run last to first: this one, registered before every stack, prints after all of them have stopped.
  run.atEnd(async () => {
    const sum = addUp(tallies);
    console.log(`${sum.passed} passed, ${sum.failed} failed`);
  });
  const context: CheckContext = { env: { ...process.env, CI: process.env.CI ?? 'true' }, signal: run.signal };
  tallies.push(await generate(context));
  for (const part of parts) {
    if (run.signal.aborted) break;
    console.log(`\n--- ${part}`);
    tallies.push(await survive(() => runPart(part, filters, context, run)));
  }
  return exitCode(addUp(tallies));
});

/** A phase that cannot even start, or is interrupted, is one failure; the phases after it still run. */
async function survive(phase: () => Promise<Tally>): Promise<Tally> {
  try {
    return await phase();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return ONE_FAILED;
  }
}

async function runPart(part: Part, filters: string[], context: CheckContext, run: Run): Promise<Tally> {
  if (part === 'static') return checkStatically(context);
  if (part === 'unit') return runVitest('unit', filters, context);
  if (part === 'e2e') await buildWeb(run.signal, console.log);
  // Each part gets servers of its own: what one leaves in Kafka or Redis never reaches the other.
  return withStack((stack) => {
    if (part === 'e2e') return runBrowserTests(stack, filters, context);
    return runVitest(part, filters, {
      ...context,
      env: { ...context.env, ...stack.urls, HOLDFAST_STACK_DIR: stack.dir },
    });
  });
}

async function withStack(use: (stack: ThrowAway) => Promise<Tally>): Promise<Tally> {
  const stack = await startThrowAway('test', console.log);
  try {
    return await use(stack);
  } finally {
    await stack.stop();
  }
}
