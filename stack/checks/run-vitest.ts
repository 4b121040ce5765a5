import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binary, type CheckContext, runRunner } from './run-check.ts';
import { ONE_FAILED, readVitest, type Tally, withExitCode } from './tally.ts';

/** Runs one project of vitest.config.ts, all of it or the files whose path contains a filter. */
export async function runVitest(
  project: 'unit' | 'int' | 'long',
  filters: string[],
  context: CheckContext,
): Promise<Tally> {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-report-'));
  const report = join(dir, 'vitest.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const args = [binary('vitest'), 'run', '--project', project, ...reporters, ...filters];
    const code = await runRunner([process.execPath, ...args], context);
    if (!existsSync(report)) return ONE_FAILED; // it did not get as far as its first file
    return withExitCode(readVitest(JSON.parse(readFileSync(report, 'utf8'))), code);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
