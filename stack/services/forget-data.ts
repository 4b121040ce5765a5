import { existsSync, rmSync } from 'node:fs';
import { readServices, type ServiceUrls, servicesPath, URL_NAMES } from './services-file.ts';
import { stopDocker } from './start-docker.ts';

/** Data behind an address that was given is somebody else's: it is never thrown away. */
export function refuseGiven(given: Partial<ServiceUrls>): void {
  const names = Object.values(URL_NAMES).filter((name) => given[name] !== undefined);
  if (names.length === 0) return;
  throw new Error(`--reset throws away only what the demo keeps itself; unset ${names.join(', ')} first`);
}

/**
 * Removes the data of the servers that an earlier run in this folder started itself, and nothing else there. The
 * folder must be claimed: its servers have ended.
 */
export async function forgetData(dir: string, say: (line: string) => void): Promise<void> {
  if (!existsSync(servicesPath(dir))) return;
  const { servers, docker } = readServices(dir);
  if (docker !== undefined) {
    await stopDocker(docker, false);
    say(`Docker project ${docker.project}: data thrown away`);
  }
  for (const { name, dataDir } of Object.values(servers)) {
    rmSync(dataDir, { recursive: true, force: true });
    say(`${name}: data thrown away`);
  }
}
