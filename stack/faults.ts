import { join } from 'node:path';
import { ROOT } from './apps/root.ts';
import { type CheckContext, runRunner } from './checks/run-check.ts';
import { generate } from './checks/static-checks.ts';
import { runProgram } from './process/run-program.ts';
import { startThrowAway } from './throw-away.ts';

// `npm run faults`: the fault matrix on a throw-away stack, whose servers it kills and revives; `-- --step S --fault F`
// runs a part of it. See docs/reliability.md.

await runProgram(async (run) => {
  const context: CheckContext = { env: process.env, signal: run.signal };
  const generated = await generate(context);
  if (generated.failed > 0) return 1;
  const stack = await startThrowAway('test', console.log);
  run.atEnd(() => stack.stop());
  const program = join(ROOT, 'packages/core/src/testing/faults/main.ts');
  const env = { ...process.env, ...stack.urls, HOLDFAST_STACK_DIR: stack.dir };
  return runRunner([process.execPath, program, ...process.argv.slice(2)], { ...context, env });
});
