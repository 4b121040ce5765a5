/** Sees what every script on a Redis server does, through MONITOR, from now on. */
import type { Redis } from '../platform/index.ts';

export interface WatchedScript {
  readonly sha: string;
  /** Its arguments, the commands it called, and the members those asked a range of. */
  readonly steps: number;
}

export interface ScriptWatch {
  /** Everything that ran between the start and this call. */
  end(): Promise<{ readonly scripts: readonly WatchedScript[]; readonly commands: ReadonlySet<string> }>;
}

export async function watchScripts(redis: Redis): Promise<ScriptWatch> {
  const scripts: { sha: string; steps: number }[] = [];
  const commands = new Set<string>();
  const mark = `watched until ${performance.now()}`;
  const connection = redis.duplicate();
  const monitor = await connection.monitor();
  const ended = new Promise<void>((resolve) => {
    monitor.on('monitor', (_time: string, args: string[], source: string) => {
      const [command = '', ...rest] = args;
      const name = command.toLowerCase();
      commands.add(name);
      if (name === 'evalsha') scripts.push({ sha: rest[0] ?? '', steps: rest.length });
      const last = scripts.at(-1);
      if (source === 'lua' && last) last.steps += 1 + (name === 'zrange' ? widthOf(rest) : 0);
      if (rest[0] === mark) resolve();
    });
  });
  return {
    async end() {
      await redis.echo(mark);
      await ended;
      for (const each of [monitor, connection]) each.disconnect();
      return { scripts, commands };
    },
  };
}

/** Members between the two places of a ZRANGE, both counted. */
function widthOf([, from, to]: readonly string[]): number {
  return Number(to) - Number(from) + 1;
}
