import { existsSync } from 'node:fs';
import { findOnPath, mustRun, runCommand } from './run-command.ts';

const LIMIT_MS = 10 * 60_000;

/** Installs packages of a Debian-like system when that is possible here, else throws with the one command to run. */
export async function installPackages(packages: string[], say: (line: string) => void): Promise<void> {
  const command = `apt-get install -y --no-install-recommends ${packages.join(' ')}`;
  const possible = process.getuid?.() === 0 && existsSync('/etc/debian_version') && findOnPath('apt-get') !== undefined;
  if (!possible) throw new Error(`${packages.join(' and ')} missing; install it, on Debian or Ubuntu: sudo ${command}`);
  say(`installing ${packages.join(', ')} by apt-get`);
  // RUNLEVEL=1 keeps the package from starting a server of its own on the standard port.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const args = command.split(' ').slice(1);
  const first = await runCommand('apt-get', args, { env, timeoutMs: LIMIT_MS });
  if (first.code === 0) return;
  await mustRun('apt-get', ['update'], { env, timeoutMs: LIMIT_MS });
  await mustRun('apt-get', args, { env, timeoutMs: LIMIT_MS });
}
