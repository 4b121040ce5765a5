import { join } from 'node:path';
import { choosePort } from '../process/choose-port.ts';
import { findOnPath, mustRun, runCommand } from '../process/run-command.ts';
import { type DockerRecord, type ServerName, type ServiceUrls, URL_NAMES } from './services-file.ts';

const FILE = join(import.meta.dirname, '..', '..', 'docker-compose.yml');
const PULL_LIMIT_MS = 10 * 60_000;
const STOP_LIMIT_MS = 60_000;
const ASK_LIMIT_MS = 10_000;
const PORT_NAMES = { postgres: 'POSTGRES_PORT', redis: 'REDIS_PORT', kafka: 'KAFKA_PORT' } as const;

export type DockerRequest = {
  project: string;
  firstPorts: Record<ServerName, number>;
  say: (line: string) => void;
};

/** True when an engine answers, not only when the client is installed. */
export async function dockerRuns(): Promise<boolean> {
  if (findOnPath('docker') === undefined) return false;
  for (const question of [['info'], ['compose', 'version']]) {
    if ((await runCommand('docker', question, { timeoutMs: ASK_LIMIT_MS })).code !== 0) return false;
  }
  return true;
}

export async function startDocker(
  names: readonly ServerName[],
  request: DockerRequest,
): Promise<{ docker: DockerRecord; urls: Partial<ServiceUrls> }> {
  const taken = new Set<number>();
  const docker: DockerRecord = { project: request.project, file: FILE, env: {} };
  const urls: Partial<ServiceUrls> = {};
  // Our own containers of an earlier run would hold the very ports that are looked for.
  await compose(docker, ['stop'], STOP_LIMIT_MS);
  for (const name of names) {
    const port = await choosePort(request.firstPorts[name], taken);
    docker.env[PORT_NAMES[name]] = String(port);
    urls[URL_NAMES[name]] = urlOf(name, port);
  }
  try {
    await compose(docker, ['up', '--detach', '--wait', ...names], PULL_LIMIT_MS);
  } catch (error) {
    const logs = await compose(docker, ['logs', '--tail', '25'], ASK_LIMIT_MS).catch(String);
    await compose(docker, ['stop'], STOP_LIMIT_MS);
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${logs}`);
  }
  for (const name of names)
    request.say(`${name}: Docker, project ${docker.project}, port ${docker.env[PORT_NAMES[name]]}`);
  return { docker, urls };
}

/** The volumes go only with a throw-away run. */
export async function stopDocker(docker: DockerRecord, keepData: boolean): Promise<void> {
  await compose(docker, keepData ? ['stop'] : ['down', '--volumes'], STOP_LIMIT_MS);
}

export async function compose(docker: DockerRecord, args: string[], timeoutMs: number): Promise<string> {
  const env = { ...process.env, ...docker.env };
  return mustRun('docker', ['compose', '-f', docker.file, '-p', docker.project, ...args], { env, timeoutMs });
}

function urlOf(name: ServerName, port: number): string {
  if (name === 'postgres') return `postgresql://holdfast:holdfast@127.0.0.1:${port}/holdfast`;
  return name === 'redis' ? `redis://127.0.0.1:${port}` : `127.0.0.1:${port}`;
}
