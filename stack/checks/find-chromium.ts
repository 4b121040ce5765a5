import { existsSync } from 'node:fs';
import { installPackages } from '../process/install-package.ts';
import { findOnPath, mustRun } from '../process/run-command.ts';
import { binary } from './run-check.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const DOWNLOAD_LIMIT_MS = 10 * 60_000;

/** The path of a browser for the tests: installed, or from the system's packages, or Playwright's own (undefined). */
export async function findChromium(signal: AbortSignal, say: (line: string) => void): Promise<string | undefined> {
  const given = process.env.CHROMIUM_PATH;
  if (given !== undefined && existsSync(given)) return given;
  const installed = findOnPath(...NAMES);
  if (installed !== undefined) return installed;
  try {
    await installPackages(['chromium'], say);
    const fresh = findOnPath(...NAMES);
    if (fresh !== undefined) return fresh;
  } catch (error) {
    say(`chromium: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}; taking Playwright's own`);
  }
  await mustRun(process.execPath, [binary('playwright'), 'install', 'chromium'], {
    signal,
    timeoutMs: DOWNLOAD_LIMIT_MS,
  });
  return undefined;
}
