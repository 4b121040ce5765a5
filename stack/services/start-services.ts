import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { claimFolder, forgetPid, releaseFolder } from '../process/claim-folder.ts';
import { forgetData, refuseGiven } from './forget-data.ts';
import { stopServer } from './launch-server.ts';
import {
  readServices,
  SERVER_NAMES,
  type ServerName,
  type ServicesFile,
  type ServiceUrls,
  URL_NAMES,
  writeServices,
} from './services-file.ts';
import { dockerRuns, startDocker, stopDocker } from './start-docker.ts';
import { startNative } from './start-native.ts';

export type ServicesRequest = {
  dir: string;
  /** Docker project name. */
  project: string;
  firstPorts: Record<ServerName, number>;
  keepData: boolean;
  /** Begins without the data that an earlier run has kept; refused while an address is given. */
  fresh?: boolean;
  say: (line: string) => void;
};

export type Services = { urls: ServiceUrls; stop: () => Promise<void> };

/** Finds or starts the three services: addresses from the environment first, then Docker, then programs started here. */
export async function startServices(request: ServicesRequest): Promise<Services> {
  const { dir, say, keepData } = request;
  const given = givenUrls(process.env);
  if (request.fresh === true) refuseGiven(given);
  for (const name of await claimFolder(dir)) say(`ended ${name}, left over by an earlier run`);
  if (request.fresh === true) await forgetData(dir, say);
  for (const name of SERVER_NAMES) {
    const url = given[URL_NAMES[name]];
    if (url !== undefined) say(`${name}: ${withoutPassword(url)}, given by ${URL_NAMES[name]}`);
  }
  const missing = SERVER_NAMES.filter((name) => given[URL_NAMES[name]] === undefined);
  try {
    writeServices(dir, await startMissing(missing, given, request));
  } catch (error) {
    releaseFolder(dir);
    throw error;
  }
  return { urls: readServices(dir).urls, stop: () => stopServices(dir, keepData, say) };
}

async function startMissing(
  missing: readonly ServerName[],
  given: Partial<ServiceUrls>,
  request: ServicesRequest,
): Promise<ServicesFile> {
  if (missing.length === 0) return { urls: complete(given), servers: {} };
  if (await dockerRuns()) {
    const { docker, urls } = await startDocker(missing, request);
    return { urls: complete({ ...given, ...urls }), servers: {}, docker };
  }
  const records = await startNative(missing, request);
  const urls = Object.fromEntries(records.map((record) => [URL_NAMES[record.name], record.url]));
  const servers = Object.fromEntries(records.map((record) => [record.name, record]));
  return { urls: complete({ ...given, ...urls }), servers };
}

/** Reads the file again first: a test may have started a server anew under another pid. */
async function stopServices(dir: string, keepData: boolean, say: (line: string) => void): Promise<void> {
  const { servers, docker } = readServices(dir);
  if (docker !== undefined) await stopDocker(docker, keepData);
  await Promise.all(
    Object.values(servers).map(async (record) => {
      await stopServer(record);
      forgetPid(dir, record.name);
      say(`${record.name}: stopped`);
    }),
  );
  releaseFolder(dir);
  if (keepData) return;
  // <home>/<server>/data: the home is this folder, or another one where the database's user may not enter this one.
  for (const { dataDir } of Object.values(servers)) rmSync(join(dataDir, '..', '..'), { recursive: true, force: true });
}

function givenUrls(env: NodeJS.ProcessEnv): Partial<ServiceUrls> {
  const given: Partial<ServiceUrls> = {};
  for (const name of Object.values(URL_NAMES)) {
    const url = env[name];
    if (url !== undefined && url !== '') given[name] = url;
  }
  return given;
}

function complete(urls: Partial<ServiceUrls>): ServiceUrls {
  const { DATABASE_URL, REDIS_URL, KAFKA_BROKERS } = urls;
  if (DATABASE_URL === undefined || REDIS_URL === undefined || KAFKA_BROKERS === undefined) {
    throw new Error('a service was started without an address');
  }
  return { DATABASE_URL, REDIS_URL, KAFKA_BROKERS };
}

export function withoutPassword(url: string): string {
  return url.replace(/\/\/([^:@/]*):[^@]*@/, '//$1:***@');
}
