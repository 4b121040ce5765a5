import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from '../process/mark.ts';
import { startServer } from './control-server.ts';
import { readServices, SERVER_NAMES } from './services-file.ts';

const POLL_MS = 1_000;

/** Starts a server of ours again, with its data, when it has died. Answers a function that ends the watch. */
export function watchServers(dir: string, say: (line: string) => void): () => Promise<void> {
  const ending = new AbortController();
  const watching = watch(dir, ending.signal, say);
  return async () => {
    ending.abort();
    await watching;
  };
}

async function watch(dir: string, ending: AbortSignal, say: (line: string) => void): Promise<void> {
  while (!ending.aborted) {
    for (const name of SERVER_NAMES) {
      const record = readServices(dir).servers[name];
      if (record === undefined || isAlive(record.mark) || ending.aborted) continue;
      say(`${name}: died, starting it again`);
      try {
        await startServer(dir, name, 'kept');
      } catch (error) {
        say(error instanceof Error ? error.message : String(error)); // tried again at the next look
      }
    }
    await pause(POLL_MS, undefined, { signal: ending }).catch(() => {}); // ends early when the watch ends
  }
}
