import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder, isInUse } from './process/claim-folder.ts';
import { readServices, servicesPath } from './services/services-file.ts';
import { stopDocker } from './services/start-docker.ts';

const NAME = /^holdfast-(test|bench|serve)-/;
const YOUNG_MS = 60_000;

/** Ends and removes the throw-away stacks of runs that were killed before they could do it themselves. */
export async function clearAbandoned(say: (line: string) => void): Promise<void> {
  const dirs = readdirSync(tmpdir()).filter((name) => NAME.test(name));
  for (const dir of dirs.map((name) => join(tmpdir(), name))) {
    if (!isAbandoned(dir)) continue;
    for (const name of await claimFolder(dir)) say(`ended ${name}, left over by a killed run in ${dir}`);
    if (existsSync(servicesPath(dir))) {
      const { docker } = readServices(dir);
      if (docker !== undefined) await stopDocker(docker, false);
    }
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Only folders of our own user: the temporary folder is open to all, and what a folder names gets a signal. */
function isAbandoned(dir: string): boolean {
  const stat = statSync(dir, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory() || stat.uid !== process.getuid?.()) return false;
  // A folder without an owner may belong to a run that is about to write its name there.
  const ownerIsNamed = existsSync(join(dir, 'owner.json'));
  return ownerIsNamed ? !isInUse(dir) : Date.now() - stat.mtimeMs > YOUNG_MS;
}
