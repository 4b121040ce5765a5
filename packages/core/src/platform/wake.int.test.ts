import { expect, test, vi } from 'vitest';
import { openRedis } from './redis.ts';
import { createWaker, onWake } from './wake.ts';

test('Wake-ups while Redis is away are dropped, not kept until it is back', async () => {
  const url = process.env.REDIS_URL ?? '';
  const [listener, sender] = [openRedis(url, 'test-listener'), openRedis(url, 'test-sender')];
  try {
    await sender.ping();
    const heard: string[] = [];
    await onWake(listener, (topic) => heard.push(topic));
    const waker = createWaker(sender);
    const away = new Promise((resolve) => sender.once('close', resolve));
    sender.disconnect(true);
    await away;
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    waker.wake('outbox');
    vi.runAllTimers();
    vi.useRealTimers();
    await sender.ping();
    waker.wake('gate');
    await vi.waitUntil(() => heard.includes('gate'));
    expect(heard).not.toContain('outbox');
  } finally {
    vi.useRealTimers();
    listener.disconnect();
    sender.disconnect();
  }
});
