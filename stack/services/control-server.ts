import { rmSync } from 'node:fs';
import { notePid } from '../process/claim-folder.ts';
import { endProcess, send } from '../process/end-process.ts';
import { launchServer, stopServer } from './launch-server.ts';
import { readServices, type ServerName, type ServerRecord, writeServices } from './services-file.ts';
import { compose } from './start-docker.ts';

// For tests that break a service on purpose, from any process that knows the folder of services.json.
// A service whose address was given by the environment is not ours to break: these functions then throw.

const DOCKER_LIMIT_MS = 60_000;

/** SIGKILL: the server has no moment to write anything down. Returns when it is gone. */
export async function killServer(dir: string, name: ServerName): Promise<void> {
  const { docker } = readServices(dir);
  if (docker !== undefined) await compose(docker, ['kill', '-s', 'SIGKILL', name], DOCKER_LIMIT_MS);
  else await endProcess(native(dir, name).mark, 'SIGKILL', 0);
}

/** SIGSTOP: the server is there, takes connections and says nothing. */
export async function pauseServer(dir: string, name: ServerName): Promise<void> {
  const { docker } = readServices(dir);
  if (docker !== undefined) await compose(docker, ['pause', name], DOCKER_LIMIT_MS);
  else send(native(dir, name).mark, 'SIGSTOP');
}

export async function continueServer(dir: string, name: ServerName): Promise<void> {
  const { docker } = readServices(dir);
  if (docker !== undefined) await compose(docker, ['unpause', name], DOCKER_LIMIT_MS);
  else send(native(dir, name).mark, 'SIGCONT');
}

/** Starts a server that was killed, on its old port, with its old data or (`empty`) with none; waits until it takes work. */
export async function startServer(dir: string, name: ServerName, data: 'kept' | 'empty'): Promise<void> {
  const { docker } = readServices(dir);
  if (docker !== undefined) {
    const wipe = ['run', '--rm', '--no-deps', '--entrypoint', 'sh', name, '-c', 'rm -rf /data/*'];
    if (data === 'empty') await compose(docker, onlyRedis(name, wipe), DOCKER_LIMIT_MS);
    await compose(docker, ['up', '--detach', '--wait', name], DOCKER_LIMIT_MS);
    return;
  }
  const record = native(dir, name);
  if (data === 'empty') {
    rmSync(`${onlyRedis(name, record.dataDir)}/appendonlydir`, { recursive: true, force: true });
    rmSync(`${record.dataDir}/dump.rdb`, { force: true });
  }
  const next = await launchServer(dir, record);
  const file = readServices(dir);
  writeServices(dir, { ...file, servers: { ...file.servers, [name]: next } });
  notePid(dir, name, next.mark);
}

/** A clean stop and start with the data kept. */
export async function restartServer(dir: string, name: ServerName): Promise<void> {
  const { docker } = readServices(dir);
  if (docker !== undefined) await compose(docker, ['stop', name], DOCKER_LIMIT_MS);
  else await stopServer(native(dir, name));
  await startServer(dir, name, 'kept');
}

function native(dir: string, name: ServerName): ServerRecord {
  const record = readServices(dir).servers[name];
  if (record === undefined) throw new Error(`${name} was not started by this stack (see ${dir}/services.json)`);
  return record;
}

/** The other two cannot start without what their first initialisation wrote. */
function onlyRedis<T>(name: ServerName, value: T): T {
  if (name !== 'redis') throw new Error(`${name} cannot be started with an empty data folder`);
  return value;
}
