import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb } from './apps/build-web.ts';
import { ROOT } from './apps/root.ts';
import { startProduct } from './apps/start-product.ts';
import { type CheckContext, runRunner } from './checks/run-check.ts';
import { generate } from './checks/static-checks.ts';
import { runProgram } from './process/run-program.ts';
import { startThrowAway } from './throw-away.ts';

// `npm run bench`: runs bench/*.bench.ts against the built product on a throw-away stack; `npm run bench -- order` only
// bench/order.bench.ts. A suite gets BASE_URL, the services' addresses and HOLDFAST_STACK_DIR, and fails by its exit code.

const SUFFIX = '.bench.ts';

await runProgram(async (run) => {
  const wanted = process.argv.slice(2);
  const suites = findSuites(wanted);
  const context: CheckContext = { env: process.env, signal: run.signal };
  const generated = await generate(context);
  if (generated.failed > 0) return 1;
  await buildWeb(run.signal, console.log);
  let failed = 0;
  for (const suite of suites) {
    console.log(`\n--- ${suite}`);
    // A stack for each: no suite measures the rows and messages of the one before.
    const code = await runSuite(suite, context);
    if (code !== 0) failed += 1;
  }
  console.log(`\n${suites.length - failed} suites passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

function findSuites(wanted: string[]): string[] {
  const all = readdirSync(join(ROOT, 'bench')).filter((file) => file.endsWith(SUFFIX));
  const names = all.map((file) => file.slice(0, -SUFFIX.length)).sort();
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length > 0 || names.length === 0)
    throw new Error(`no such suite: ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  return wanted.length === 0 ? names : wanted;
}

async function runSuite(suite: string, context: CheckContext): Promise<number> {
  const stack = await startThrowAway('bench', console.log);
  try {
    const apps = await startProduct(stack, 'holdfast_bench', context.signal, console.log);
    try {
      const env = { ...apps.env, BASE_URL: apps.url, HOLDFAST_STACK_DIR: stack.dir };
      return await runRunner([process.execPath, join(ROOT, 'bench', `${suite}${SUFFIX}`)], {
        ...context,
        env,
      });
    } finally {
      await apps.stop();
    }
  } finally {
    await stack.stop();
  }
}
