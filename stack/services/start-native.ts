import { rmSync } from 'node:fs';
import { choosePort } from '../process/choose-port.ts';
import { launchServer, stopServer } from './launch-server.ts';
import { planKafka } from './plan-kafka.ts';
import { planPostgres } from './plan-postgres.ts';
import { planRedis } from './plan-redis.ts';
import type { LaunchPlan, ServerName, ServerRecord } from './services-file.ts';

export type NativeRequest = {
  dir: string;
  firstPorts: Record<ServerName, number>;
  say: (line: string) => void;
};

// Between choosing a port and the server's taking it another program may take it.
const PORT_TRIES = 3;

/** Starts the named servers side by side (each spends most of its start waiting). One failure stops the others again. */
export async function startNative(names: readonly ServerName[], request: NativeRequest): Promise<ServerRecord[]> {
  const taken = new Set<number>();
  const results = await Promise.allSettled(names.map((name) => startOne(name, taken, request)));
  const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  if (failed.length === 0) return started;
  await Promise.all(started.map(stopServer));
  throw new Error(failed.map((error) => error.message).join('\n\n'));
}

async function startOne(name: ServerName, taken: Set<number>, request: NativeRequest): Promise<ServerRecord> {
  const begun = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const plan = await planServer(name, taken, request);
    rmSync(plan.logFile, { force: true }); // a failed start shows lines of this start only
    try {
      const record = await launchServer(request.dir, plan);
      const seconds = ((Date.now() - begun) / 1000).toFixed(1);
      request.say(`${name}: started here on port ${record.port}, process ${record.pid}, ${seconds} s`);
      return record;
    } catch (error) {
      if (attempt === PORT_TRIES || !/address already in use|failed to bind|bindexception/i.test(String(error)))
        throw error;
      request.say(`${name}: port ${plan.port} was taken meanwhile, trying another`);
    }
  }
}

async function planServer(name: ServerName, taken: Set<number>, request: NativeRequest): Promise<LaunchPlan> {
  const { dir, say, firstPorts } = request;
  const port = await choosePort(firstPorts[name], taken);
  if (port !== firstPorts[name]) say(`${name}: port ${firstPorts[name]} is taken, using ${port}`);
  if (name === 'postgres') return planPostgres(dir, port, say);
  if (name === 'redis') return planRedis(dir, port, say);
  return planKafka(dir, { broker: port, controller: await choosePort(port + 1, taken) }, say);
}
