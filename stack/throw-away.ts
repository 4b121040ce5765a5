import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { clearAbandoned } from './clear-abandoned.ts';
import { throwAwayPort } from './process/choose-port.ts';
import { type Services, startServices } from './services/start-services.ts';

export type ThrowAway = Services & { dir: string };

/** The services in a folder of their own that goes away with them, on ports away from those of the demo. */
export async function startThrowAway(
  purpose: 'test' | 'bench' | 'serve',
  say: (line: string) => void,
): Promise<ThrowAway> {
  await clearAbandoned(say);
  const dir = mkdtempSync(join(tmpdir(), `holdfast-${purpose}-`));
  chmodSync(dir, 0o755); // the database server may run as another user and must reach its data
  const base = throwAwayPort();
  const firstPorts = { postgres: base, redis: base + 10, kafka: base + 20 };
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const project = basename(dir).toLowerCase();
    const services = await startServices({ dir, project, firstPorts, keepData: false, say });
    const stop = async () => {
      await services.stop();
      remove();
    };
    return { urls: services.urls, dir, stop };
  } catch (error) {
    remove();
    throw error;
  }
}
