/**
 * Waits of the product cost a history no time: a sleep moves the process clock on by its length and ends at once. So
 * back-off, request limits and ages behave as they do in the shop, and the same tape gives the same history.
 */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

let aheadMs = 0;

export function advance(ms: number): void {
  aheadMs += ms;
}

/** For a process that does nothing else: replaces its clocks and its sleep. Once. */
export function takeOverTime(): void {
  const performanceStart = performance.now();
  const dateStart = Date.now();
  performance.now = () => performanceStart + aheadMs;
  Date.now = () => dateStart + Math.round(aheadMs);
  const sleep = <T>(ms = 0, value?: T): Promise<T> => {
    advance(ms);
    return new Promise((resolve) => setImmediate(() => resolve(value as T)));
  };
  timers.setTimeout = sleep as typeof timers.setTimeout;
  syncBuiltinESMExports();
}
