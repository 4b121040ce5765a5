/**
 * Redis behind an `Io`: each command is a step, and a pipeline or a transaction is one, when it is sent. Commands that
 * the client pipelines by itself are counted one by one, in the order in which they were given to it.
 */
import { scriptsFor, VERBS } from '../../gate/scripts.ts';
import type { Redis } from '../../platform/index.ts';
import { intercept, type Method } from './intercept.ts';
import { type Io, type IoCall, NoReply } from './io.ts';
import { opening } from './watch-postgres.ts';

/** What the client says of an answer that does not come in time: unknown (P15). */
const late = () => new Error('Command timed out');

export function watchRedis(redis: Redis, io: Io): Redis {
  const commands = new Set(redis.getBuiltinCommands());
  const isCommand = (name: string) => name === 'call' || commands.has(name.replace(/Buffer$/, ''));
  return intercept(redis, (name, method) => {
    if (name === 'pipeline' || name === 'multi') return (...args) => watchPipeline(method(...args), io);
    if (!isCommand(name) || name === 'quit' || name.endsWith('subscribe')) return undefined;
    return (...args) => step(io, nameOf(name, args), () => method(...args));
  });
}

/** An opener whose connection is watched (P7). */
export function watchRedisOpener(open: () => Promise<Redis>, io: Io): () => Promise<Redis> {
  return async () =>
    watchRedis(await opening(io, { server: 'redis', what: 'connect' }, open, (redis) => redis.disconnect()), io);
}

function watchPipeline(pipeline: unknown, io: Io): unknown {
  if (typeof pipeline !== 'object' || pipeline === null) return pipeline;
  return intercept(pipeline, (name, method) =>
    name === 'exec' ? (...args) => step(io, 'exec', () => method(...args)) : undefined,
  );
}

/** The command goes out in the turn in which it was given: what was checked before it still holds (P9). */
function step(io: Io, what: string, run: () => unknown): Promise<unknown> {
  const call: IoCall = { server: 'redis', what };
  return io(call, () => Promise.resolve(run())).catch((error: unknown) => {
    throw error instanceof NoReply ? late() : error;
  });
}

/** Epochs that a test lives to see. */
const MOST_EPOCHS = 200;
let verbs: Map<unknown, string> | undefined;

function nameOf(command: string, [first]: Parameters<Method>): string {
  if (command === 'script') return `script ${String(first)}`;
  if (command !== 'evalsha') return command;
  verbs ??= new Map(
    Array.from({ length: MOST_EPOCHS }, (_, before) => scriptsFor(before + 1)).flatMap((scripts) =>
      VERBS.map((verb) => [scripts[verb].sha, verb] as const),
    ),
  );
  return verbs.get(first) ?? 'evalsha';
}
