import { createPool } from '@holdfast/core/platform';
import { countCalls } from '@holdfast/core/testing';
import { expect, test } from 'vitest';
import { countFrames } from './count-frames.testing.ts';
import { GATE_HANDLERS } from './gate-handlers.testing.ts';
import { openProcess } from './open-process.testing.ts';
import { ORDER_HANDLERS } from './order-handlers.testing.ts';
import { commands, statements } from './read-frames.testing.ts';
import { STOCK_HANDLERS } from './stock-handlers.testing.ts';
import { openSweepShop } from './sweep-shop.testing.ts';

/** Those that need neither broker nor provider, which have wires of their own. */
const HANDLERS = [...ORDER_HANDLERS, ...STOCK_HANDLERS, ...GATE_HANDLERS].filter(
  ({ name }) => !name.startsWith('extend'),
);

/** What the client asks by itself when a connection opens: is the server ready? */
const READY_CHECKS = 1;

test('The servers see no statement and no command of a process that is not one of its numbered calls', async () => {
  const scene = await openSweepShop('every_call', process.env.KAFKA_BROKERS);
  const { shop } = scene;
  try {
    for (const { name, given } of HANDLERS) {
      const situation = await given(scene);
      const database = await countFrames(shop.databaseUrl, statements);
      const redis = await countFrames(shop.server.url, commands);
      const pool = createPool({ url: database.url, name: 'every call', max: 3 });
      const counting = countCalls();
      const servers = { ...shop, pool, databaseUrl: database.url, server: { ...shop.server, url: redis.url } };
      const process = await openProcess(servers, scene.stream, counting.io);
      const before = redis.seen();
      await situation.act(process, { ...counting, died: Promise.resolve() });
      const of = (server: string, what?: string) =>
        counting.calls.filter((call) => call.server === server && (what === undefined || call.what === what)).length;
      expect([name, database.seen()]).toEqual([name, of('postgres') - of('postgres', 'connect')]);
      const opened = of('redis', 'connect');
      expect([name, redis.seen() - before]).toEqual([name, of('redis') - opened + opened * READY_CHECKS]);
      expect(counting.calls.length).toBeGreaterThan(1);
      process.close();
      await pool.end();
      for (const counter of [database, redis]) counter.close();
      await scene.recover();
    }
  } finally {
    await scene.close();
  }
}, 120_000);
