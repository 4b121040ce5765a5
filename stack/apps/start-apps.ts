import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { choosePort } from '../process/choose-port.ts';
import type { ServiceUrls } from '../services/services-file.ts';
import { readSecrets } from './read-secrets.ts';
import { ROOT } from './root.ts';
import { type Supervisor, supervise } from './supervise.ts';

const READY_LIMIT_MS = 60_000;
const POLL_MS = 200;
const REQUEST_LIMIT_MS = 2_000;

export type AppPorts = { web: number; webInternal: number; workerInternal: number };
export type AppsRequest = {
  dir: string;
  host: string;
  firstPorts: AppPorts;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
};
export type Apps = Supervisor & { url: string; env: NodeJS.ProcessEnv; ports: AppPorts };

/** The environment that turns the product into the demo: short limits, under a name that is never the default. */
export function demoEnvironment(dir: string, urls: ServiceUrls): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...urls,
    ...readSecrets(dir),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    HOLDFAST_PROFILE: 'demo',
    ORDER_PAYMENT_TIMEOUT_SECONDS: '120',
    ORDER_AUTO_RECEIVE_TIMEOUT_SECONDS: '60',
    JOB_ORDER_AUTO_RECEIVE_INTERVAL: 'PT10S',
  };
}

/** Starts web and worker under one supervisor and waits until both say that they are ready. */
export async function startApps(request: AppsRequest): Promise<Apps> {
  const taken = new Set<number>();
  const { firstPorts, host } = request;
  const ports = {
    web: await choosePort(firstPorts.web, taken),
    webInternal: await choosePort(firstPorts.webInternal, taken),
    workerInternal: await choosePort(firstPorts.workerInternal, taken),
  };
  const url = `http://${host}:${ports.web}`;
  const env: NodeJS.ProcessEnv = { ...request.env, PUBLIC_URL: url, PORT: String(ports.web) };
  const program = (name: string, file: string, port: number) => ({
    name,
    argv: [process.execPath, join(ROOT, 'apps', name, file)] as [string, ...string[]],
    env: { ...env, INTERNAL_PORT: String(port) },
    cwd: ROOT,
  });
  const programs = [program('web', 'server.ts', ports.webInternal), program('worker', 'main.ts', ports.workerInternal)];
  const supervisor = supervise(programs, request.dir);
  try {
    for (const port of [ports.webInternal, ports.workerInternal]) await waitUntilReady(port, request.signal);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return { ...supervisor, url, env, ports };
}

async function waitUntilReady(port: number, signal: AbortSignal): Promise<void> {
  const end = Date.now() + READY_LIMIT_MS;
  let last = 'no answer';
  while (Date.now() < end) {
    signal.throwIfAborted();
    try {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`, {
        signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      });
      if (response.ok) return;
      last = `${response.status} ${await response.text()}`;
    } catch (error) {
      last = String(error); // not listening yet
    }
    await pause(POLL_MS);
  }
  throw new Error(`http://127.0.0.1:${port}/readyz is not ready after ${READY_LIMIT_MS / 1000} s: ${last}`);
}
