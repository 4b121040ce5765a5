import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../process/run-command.ts';
import { hashFiles } from './hash-files.ts';
import { ROOT } from './root.ts';

const LIMIT_MS = 10 * 60_000;
const SOURCES = ['apps/web', 'packages/core/src', 'packages/core/package.json', 'prisma/schema', 'package-lock.json'];
// Inside Next's own folder: whoever removes the build removes the mark with it.
const MARK = join(ROOT, 'apps', 'web', '.next', 'holdfast-sources');

/** `next build`, unless the last build was made from the very same sources. */
export async function buildWeb(signal: AbortSignal, say: (line: string) => void): Promise<void> {
  const sources = hashFiles(ROOT, SOURCES);
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === sources) {
    say('web: build is fresh');
    return;
  }
  say('web: building the pages (next build)');
  const begun = Date.now();
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const next = join(ROOT, 'node_modules', '.bin', 'next');
  await mustRun(process.execPath, [next, 'build', 'apps/web'], {
    cwd: ROOT,
    env,
    signal,
    timeoutMs: LIMIT_MS,
  });
  writeFileSync(MARK, sources);
  say(`web: built in ${Math.round((Date.now() - begun) / 1000)} s`);
}
