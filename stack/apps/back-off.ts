const FIRST_MS = 250;
const LONGEST_MS = 5_000;
const STABLE_LIFE_MS = 30_000;

/** How long to wait before a dead process is started again: doubled each time, from the start after a long life. */
export function nextBackOffMs(previousMs: number | undefined, lifeMs: number): number {
  if (previousMs === undefined || lifeMs >= STABLE_LIFE_MS) return FIRST_MS;
  return Math.min(previousMs * 2, LONGEST_MS);
}
