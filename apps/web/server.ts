/**
 * The web process: one HTTP server for API and pages, one on loopback for health and metrics. Wiring by hand;
 * SIGTERM stops accepting, lets requests finish, closes the stores and exits 0 within ten seconds. With --api there
 * are no pages, and nothing has to be built.
 */
import { createServer, type Server } from 'node:http';
import { checkTransitions } from '@holdfast/core/domain';
import { createLog, createMetrics, type Log, loadConfig } from '@holdfast/core/platform';
import { refuseDemoAccounts } from './server/auth/refuse-demo-accounts.ts';
import { createRequestHandler } from './server/http/handle-request.ts';
import { createInternalServer } from './server/http/serve-internal.ts';
import { openPages } from './server/open-pages.ts';
import { openStores } from './server/open-stores.ts';

const STOP_LIMIT_MS = 9_000;
const GRACE_MS = 5_000;

async function main(): Promise<void> {
  checkTransitions();
  const config = loadConfig();
  const log = createLog('web', config.process.LOG_LEVEL);
  const metrics = createMetrics('web');
  const fail = (error: unknown, message: string) => {
    log.error({ err: error }, message);
    process.exit(1);
  };
  process.on('unhandledRejection', (error) => fail(error, 'a promise was rejected and nobody looked; the server ends'));
  process.on('uncaughtException', (error) => fail(error, 'an error nobody caught; the server ends'));

  const dev = process.argv.includes('--dev');
  const { deps, close } = await openStores({ config, log, metrics, dev });
  await refuseDemoAccounts(deps.readPool, config.process.HOLDFAST_PROFILE);

  const pages = await openPages(deps, process.argv.includes('--api') ? 'none' : 'next');
  let stopping = false;
  const web = createServer(createRequestHandler(deps, pages.render));
  web.headersTimeout = 10_000;
  web.requestTimeout = 30_000;
  const internal = createInternalServer(deps, () => stopping);
  await listen(internal, config.process.INTERNAL_PORT, '127.0.0.1');
  await listen(web, config.process.PORT);
  log.info({ url: config.process.PUBLIC_URL, port: config.process.PORT }, 'shop and console are open');

  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    await finishRequests(web, log);
    await pages.close();
    internal.close();
    await close();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}

function listen(server: Server, port: number, host?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host && { host }) }, () => resolve());
  });
}

function finishRequests(server: Server, log: Log): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      log.warn({}, 'some requests did not finish and were cut');
      server.closeAllConnections();
    }, GRACE_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
