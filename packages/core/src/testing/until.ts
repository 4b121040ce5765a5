/** Waits for a condition instead of sleeping. */
import { setTimeout as sleep } from 'node:timers/promises';

/** @throws when `check` has not answered something truthy within `limitMs`. */
export async function until<T>(
  what: string,
  check: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 20_000,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${limitMs} ms`);
    await sleep(20);
  }
}
