import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../apps/root.ts';
import { findOnPath, runCommand } from '../process/run-command.ts';
import { binary, type CheckContext, runCheck } from './run-check.ts';
import { addUp, NOTHING, ONE_FAILED, type Tally } from './tally.ts';

const WORKSPACES = ['.', 'packages/core', 'apps/worker', 'apps/web'];
const ASK_LIMIT_MS = 10_000;

/** Code that is made from other sources; without it hardly anything else can pass. */
export function generate(context: CheckContext): Promise<Tally> {
  return runCheck('generate', [process.execPath, join(ROOT, 'stack', 'generate.ts')], context);
}

/** The checks that need no service, one test each. */
export async function checkStatically(context: CheckContext): Promise<Tally> {
  const tallies = [await checkCompose(context)];
  for (const workspace of WORKSPACES) {
    if (!existsSync(join(ROOT, workspace, 'tsconfig.json'))) {
      console.log(`FAILED type check ${workspace}: tsconfig.json is missing`);
      tallies.push(ONE_FAILED);
      continue;
    }
    const argv: [string, ...string[]] = [process.execPath, binary('tsc'), '--noEmit', '-p', workspace];
    tallies.push(await runCheck(`type check ${workspace}`, argv, context));
  }
  const lint: [string, ...string[]] = [process.execPath, binary('biome'), 'check', '--max-diagnostics=50', '.'];
  tallies.push(await runCheck('lint', lint, context));
  return addUp(tallies);
}

async function checkCompose(context: CheckContext): Promise<Tally> {
  const docker = findOnPath('docker');
  const version =
    docker === undefined ? undefined : await runCommand(docker, ['compose', 'version'], { timeoutMs: ASK_LIMIT_MS });
  if (docker === undefined || version?.code !== 0) {
    console.log('skip   docker-compose.yml: no docker client with "compose" here');
    return NOTHING;
  }
  return runCheck('docker-compose.yml', [docker, 'compose', '-f', 'docker-compose.yml', 'config', '--quiet'], context);
}
