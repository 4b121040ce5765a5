/** The columns of the fault matrix: what each fault does while a step stands still, and how it is lifted again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { setClockOffset } from '../clock.ts';
import { delayOlder, doubleOnItsWay } from './doubling.ts';
import type { Held } from './link.ts';
import type { ProcessName, Product } from './product.ts';
import type { ServerName } from './servers.ts';
import type { Shoppers } from './shoppers.ts';
import type { Step } from './steps.ts';

export interface Stand {
  readonly product: Product;
  readonly step: Step;
  readonly held: Held;
  readonly shoppers: Shoppers;
}

export interface Fault {
  readonly id: string;
  /** Strikes and lifts. What it answers is done when the cell is over. */
  strike(stand: Stand): Promise<(() => Promise<unknown>) | undefined>;
}

const FROZEN_MS = 5000;
const AWAY_MS = 3000;
const LATE_MS = 2000;
const TWENTY_MINUTES_MS = 20 * 60_000;

export const FAULTS: readonly Fault[] = [
  killProcess('web'),
  killProcess('worker'),
  killServer('Redis', 'redis'),
  killServer('PostgreSQL', 'postgres'),
  killServer('Kafka', 'kafka'),
  {
    id: 'SIGSTOP 5 s, process',
    strike: ({ product, step, held }) => {
      const frozen = product.process(step.process);
      return during(held, FROZEN_MS, {
        begin: async () => frozen.send('SIGSTOP'),
        end: async () => frozen.send('SIGCONT'),
      });
    },
  },
  {
    id: 'SIGSTOP 5 s, server',
    strike: ({ product: { servers }, step: { server = 'postgres' }, held }) =>
      during(held, FROZEN_MS, { begin: () => servers.pause(server), end: () => servers.resume(server) }),
  },
  redisBack('empty'),
  redisBack('old'),
  { id: 'reset before delivery', strike: async ({ held }) => void held.cutBefore() },
  {
    id: 'reset after delivery',
    // Where an answer stands its request has been delivered, and the answer is what gets lost.
    strike: async ({ step, held }) => void (step.place.at === 'answer-to' ? held.cutBefore() : held.cutAfter()),
  },
  {
    id: 'black hole 3 s',
    strike: async ({ product, step, held }) => {
      const link = product.links[step.link];
      link.darken();
      await sleep(AWAY_MS);
      held.cutBefore();
      link.lighten();
      return undefined;
    },
  },
  {
    id: '+2 s',
    strike: async ({ held }) => {
      await sleep(LATE_MS);
      held.forward();
      return undefined;
    },
  },
  { id: 'doubled', strike: async (stand) => void (await doubleOnItsWay(stand)) },
  { id: 'delayed past a newer one', strike: async (stand) => void (await delayOlder(stand)) },
  moveClock('clock +20 min', TWENTY_MINUTES_MS),
  moveClock('clock -20 min', -TWENTY_MINUTES_MS),
  {
    id: 'pool exhausted',
    strike: ({ product, step, held }) => {
      const link = product.links[step.process === 'web' ? 'webDatabase' : 'workerDatabase'];
      const keep = async () => link.keepAnswers('keep');
      return during(held, AWAY_MS, { begin: keep, end: async () => link.keepAnswers('pass') });
    },
  },
  {
    id: 'Redis out of memory',
    strike: ({ product: { redis }, held }) =>
      during(held, AWAY_MS, {
        begin: () => redis.config('SET', 'maxmemory', '1'),
        end: () => redis.config('SET', 'maxmemory', '0'),
      }),
  },
  {
    id: 'SIGTERM',
    strike: async ({ product, step, held }) => {
      const ending = product.process(step.process).end('SIGTERM');
      held.forward();
      const code = await ending;
      if (code !== 0) throw new Error(`${step.process} ended with ${code} after SIGTERM`);
      return later(product.restart(step.process));
    },
  },
  {
    id: 'two copies of a job',
    strike: async ({ product, held }) => {
      const second = await product.secondWorker();
      held.forward();
      await sleep(LATE_MS);
      return () => second.end('SIGTERM');
    },
  },
];

function killProcess(name: ProcessName): Fault {
  return {
    id: `kill -9 ${name}`,
    strike: async ({ product, held }) => {
      await product.process(name).end('SIGKILL');
      held.forward();
      return later(product.restart(name));
    },
  };
}

function killServer(shown: string, name: ServerName): Fault {
  return {
    id: `kill -9 ${shown}`,
    strike: async ({ product: { servers }, held }) => {
      await servers.kill(name);
      held.forward();
      await servers.start(name);
      return undefined;
    },
  };
}

function redisBack(data: 'old' | 'empty'): Fault {
  return {
    id: `Redis back ${data}`,
    strike: async ({ product, held }) => {
      await product.servers.kill('redis');
      held.forward();
      await product.redisServer.start(data);
      return undefined;
    },
  };
}

function moveClock(id: string, byMs: number): Fault {
  return {
    id,
    strike: ({ product: { pool }, held }) =>
      during(held, AWAY_MS, { begin: () => setClockOffset(pool, byMs), end: () => setClockOffset(pool, 0) }),
  };
}

interface Trouble {
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** What stood still goes on in the middle of the trouble. */
async function during(held: Held, ms: number, { begin, end }: Trouble): Promise<undefined> {
  await begin();
  held.forward();
  await sleep(ms);
  await end();
}

/** A supervisor has started it: the fault is lifted, coming up is part of the recovery. */
function later(starting: Promise<void>): () => Promise<void> {
  // Looked at when the cell ends; until then a failure must not count as unhandled.
  starting.catch(() => undefined);
  return () => starting;
}
