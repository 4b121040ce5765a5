/**
 * Wake-ups over Redis publish: a hint that there is work, never the only trigger (each loop also has a timer).
 * Many wishes within a few milliseconds become one publish; a failed publish is dropped, and so is one while Redis
 * is away: the client would keep each in memory until it is back.
 */
import type { Redis } from './redis.ts';

export type WakeTopic = 'outbox' | 'effects' | 'gate';
const CHANNEL = 'holdfast:wake';
const COALESCE_MS = 4;

export interface Waker {
  wake(topic: WakeTopic): void;
}

export function createWaker(redis: Redis): Waker {
  const due = new Set<WakeTopic>();
  const publish = () => {
    const topics = [...due];
    due.clear();
    if (redis.status !== 'ready') return;
    for (const topic of topics) redis.publish(CHANNEL, topic).catch(() => undefined);
  };
  return {
    wake(topic) {
      if (due.size === 0) setTimeout(publish, COALESCE_MS).unref();
      due.add(topic);
    },
  };
}

/** Calls `listen` for each wake-up. Needs a connection of its own; a lost one subscribes again by itself. */
export async function onWake(redis: Redis, listen: (topic: WakeTopic) => void): Promise<void> {
  redis.on('message', (channel: string, topic: string) => {
    if (channel === CHANNEL) listen(topic as WakeTopic);
  });
  await redis.subscribe(CHANNEL);
}
