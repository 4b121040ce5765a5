import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProduct } from '../apps/start-product.ts';
import type { ThrowAway } from '../throw-away.ts';
import { findChromium } from './find-chromium.ts';
import { binary, type CheckContext, runRunner } from './run-check.ts';
import { ONE_FAILED, readPlaywright, type Tally, withExitCode } from './tally.ts';

/** Starts the whole product on this stack and drives it with a browser. */
export async function runBrowserTests(stack: ThrowAway, filters: string[], context: CheckContext): Promise<Tally> {
  const { signal } = context;
  const chromium = await findChromium(signal, console.log);
  const apps = await startProduct(stack, 'holdfast_e2e', signal, console.log);
  try {
    const report = join(stack.dir, 'playwright.json');
    const env: NodeJS.ProcessEnv = {
      ...context.env,
      ...apps.env,
      E2E_BASE_URL: apps.url,
      HOLDFAST_STACK_DIR: stack.dir,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      ...(chromium === undefined ? {} : { CHROMIUM_PATH: chromium }),
    };
    const argv = [binary('playwright'), 'test', '--reporter=list,json', ...filters];
    const code = await runRunner([process.execPath, ...argv], { env, signal });
    if (!existsSync(report)) return ONE_FAILED; // it did not get as far as its first file
    return withExitCode(readPlaywright(JSON.parse(readFileSync(report, 'utf8'))), code);
  } finally {
    await apps.stop();
  }
}
