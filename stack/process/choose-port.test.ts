import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { choosePort, portIsFree } from './choose-port.ts';

test('A taken port moves on to the next free one', async () => {
  const busy = new Set([4000, 4001]);
  expect(await choosePort(4000, new Set(), async (port) => !busy.has(port))).toBe(4002);
});

test('Two servers of one stack never get the same port', async () => {
  const taken = new Set<number>();
  const isFree = async () => true;
  expect([await choosePort(4000, taken, isFree), await choosePort(4000, taken, isFree)]).toEqual([4000, 4001]);
});

test('The search ends with a clear message when nothing is free', async () => {
  await expect(choosePort(4000, new Set(), async () => false)).rejects.toThrow('no free port between 4000');
});

test('A port on which a program listens counts as taken', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await portIsFree(port)).toBe(false);
  await new Promise((resolve) => server.close(resolve));
  expect(await portIsFree(port)).toBe(true);
});
