/**
 * A Redis connection whose every command is a step of a process. The connection behind it is shared by the lane; that
 * it breaks and comes back, as at a restart of the server, is told to the process that holds it.
 */
import type { Redis } from '../../platform/index.ts';
import type { Io } from '../io/index.ts';
import { ConnectionLost } from './steps.ts';

const COMMANDS = ['evalsha', 'script', 'info', 'mget', 'set', 'get', 'del', 'exists', 'publish', 'call', 'config'];

export interface WatchedRedis {
  readonly redis: Redis;
  /** What was sent and not answered has no answer; `reopened`: a new connection stands at once. */
  sever(reopened: boolean): void;
}

export function watchRedis(shared: Redis, io: Io): WatchedRedis {
  let connection = 1;
  let open = true;
  const ready: (() => void)[] = [];
  const sever = (reopened: boolean) => {
    connection++;
    open = reopened;
    if (reopened) for (const tell of ready) tell();
  };
  const command =
    (name: string) =>
    (...args: unknown[]) => {
      const sentOn = connection;
      const what = { server: 'redis', what: [name, ...args.slice(0, 1)].join(' ').slice(0, 40) } as const;
      return io(what, async () => {
        if (!open || sentOn !== connection) throw new ConnectionLost(what);
        return (await Reflect.apply(
          Reflect.get(shared, name) as (...of: unknown[]) => unknown,
          shared,
          args,
        )) as unknown;
      });
    };
  const own: Record<string, unknown> = {
    ...Object.fromEntries(COMMANDS.map((name) => [name, command(name)])),
    on: (event: string, tell: () => void) => void (event === 'ready' && ready.push(tell)),
    disconnect: (reconnect = false) => sever(reconnect),
  };
  const redis = new Proxy(shared, {
    get(_, name) {
      if (name === 'status') return open ? 'ready' : 'end';
      // Not a promise, for whoever awaits a connection.
      if (name === 'then') return undefined;
      if (!(String(name) in own)) throw new Error(`Redis command ${String(name)} is not watched`);
      return own[String(name)];
    },
  });
  return { redis, sever };
}
