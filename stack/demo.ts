import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWeb } from './apps/build-web.ts';
import { fillDatabase } from './apps/fill-database.ts';
import { createPrinter } from './apps/print-log.ts';
import { ROOT } from './apps/root.ts';
import { type Apps, demoEnvironment, startApps } from './apps/start-apps.ts';
import { mustRun } from './process/run-command.ts';
import { type Run, runProgram, stopRequested } from './process/run-program.ts';
import { startServices } from './services/start-services.ts';
import { watchServers } from './services/watch-servers.ts';

// `npm run demo`: the whole product on this machine. Data lives in .stack/demo and survives; Ctrl-C stops everything.
// --port 4000 chooses the shop's port; --once stops again as soon as the shop's home page has answered; --reset begins
// with new data.

const DIR = join(ROOT, '.stack', 'demo');
const SERVICE_PORTS = { postgres: 15_432, redis: 16_379, kafka: 19_092 };
const GENERATE_LIMIT_MS = 3 * 60_000;
const PAGE_LIMIT_MS = 15_000;
const say = createPrinter('stack', 4);

await runProgram(async (run) => {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '3000' }, once: { type: 'boolean' }, reset: { type: 'boolean' } },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_000) throw new Error(`--port ${values.port} is no port`);
  const apps = await startAll(run, port, values.reset === true);
  if (values.once === true) return (await homePageAnswers(apps)) ? 0 : 1;
  await printAddresses(apps, port);
  await stopRequested(run.signal);
  say('stopping');
  return 0;
});

async function startAll(run: Run, port: number, fresh: boolean): Promise<Apps> {
  const services = await startServices({
    dir: DIR,
    project: 'holdfast',
    firstPorts: SERVICE_PORTS,
    keepData: true,
    fresh,
    say,
  });
  run.atEnd(services.stop);
  run.atEnd(watchServers(DIR, say));
  run.signal.throwIfAborted();
  const env = demoEnvironment(DIR, services.urls);
  const generate = [join(ROOT, 'stack', 'generate.ts')];
  await mustRun(process.execPath, generate, {
    cwd: ROOT,
    env,
    signal: run.signal,
    timeoutMs: GENERATE_LIMIT_MS,
  });
  await fillDatabase(env, run.signal, say);
  await buildWeb(run.signal, say);
  const firstPorts = { web: port, webInternal: 13_001, workerInternal: 13_101 };
  const apps = await startApps({ dir: DIR, host: 'localhost', firstPorts, env, signal: run.signal });
  run.atEnd(apps.stop);
  return apps;
}

async function homePageAnswers(apps: Apps): Promise<boolean> {
  const response = await fetch(apps.url, { signal: AbortSignal.timeout(PAGE_LIMIT_MS) });
  say(`${apps.url} answered ${response.status}`);
  return response.status === 200;
}

async function printAddresses(apps: Apps, wantedPort: number): Promise<void> {
  if (apps.ports.web !== wantedPort) say(`port ${wantedPort} is taken, the shop is on ${apps.ports.web}`);
  say('');
  say(`Shop     ${apps.url}`);
  say(`Console  ${apps.url}/ops`);
  for (const line of await demoLogins()) say(`Login    ${line}`);
  say('Ctrl-C stops everything; the data stays.');
  say('');
}

/** What prisma/seed.ts exports as DEMO_LOGINS, one readable line each, whatever fields a login has. */
async function demoLogins(): Promise<string[]> {
  const file = join(ROOT, 'prisma', 'seed.ts');
  if (!existsSync(file)) return [];
  try {
    const seed = (await import(file)) as { DEMO_LOGINS?: readonly Record<string, unknown>[] };
    return (seed.DEMO_LOGINS ?? []).map((login) => Object.values(login).map(String).join('  '));
  } catch (error) {
    return [`could not be read from prisma/seed.ts: ${String(error)}`];
  }
}
