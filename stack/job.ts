import { join } from 'node:path';
import { ROOT } from './apps/root.ts';
import { demoEnvironment } from './apps/start-apps.ts';
import { runCommand } from './process/run-command.ts';
import { runProgram } from './process/run-program.ts';
import { readServices, type ServiceUrls, URL_NAMES } from './services/services-file.ts';

// `npm run job -- <id> [--dry-run]`: one job by hand, on the servers that the environment names, else on those of the
// demo that is running here.

const DIR = join(ROOT, '.stack', 'demo');
const LIMIT_MS = 65 * 60_000;

await runProgram(async (run) => {
  const argv = [join(ROOT, 'apps', 'worker', 'run-one-job.ts'), ...process.argv.slice(2)];
  const options = { cwd: ROOT, env: environment(), signal: run.signal, timeoutMs: LIMIT_MS };
  const { code, output } = await runCommand(process.execPath, argv, options);
  process.stdout.write(output);
  return code;
});

function environment(): NodeJS.ProcessEnv {
  const names = Object.values(URL_NAMES);
  const given = names.filter((name) => process.env[name]);
  if (given.length === names.length) return process.env;
  if (given.length > 0) throw new Error(`set all of ${names.join(', ')}, or none to use the demo that runs here`);
  return demoEnvironment(DIR, demoUrls());
}

function demoUrls(): ServiceUrls {
  try {
    return readServices(DIR).urls;
  } catch {
    throw new Error(`no demo has run here yet: start it (npm run demo), or set ${Object.values(URL_NAMES).join(', ')}`);
  }
}
