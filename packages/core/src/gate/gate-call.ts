/**
 * One gate command, from the epoch it is sent under to what its answer means. EVALSHA only (P7): no script, no
 * sale. What is known and what is not follows P15: an error reply, or a call on a client that is not ready, did
 * not happen; anything sent without an answer is unknown and stays "held".
 */
import type { Log, Metrics, Pool, Redis, Waker } from '../platform/index.ts';
import { type GateEpoch, readEpoch, reportClosed } from './epoch.ts';
import { readIdentity, sameIdentity } from './identity.ts';
import { type Scripts, scriptsFor, VERBS, type Verb } from './scripts.ts';

export interface GateDeps {
  readonly redis: Redis;
  readonly pool: Pool;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly waker: Waker;
}

export type GateReply =
  | { readonly kind: 'reply'; readonly parts: readonly string[]; readonly epoch: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'unknown' };

/** The epoch row is looked at again at least this often; refusals look at once. */
const EPOCH_MAX_AGE_MS = 1000;

interface Life extends GateEpoch {
  readonly scripts: Scripts | undefined;
}

export interface GateCaller {
  call(verb: Verb, keys: readonly string[], args: (life: GateEpoch) => readonly string[]): Promise<GateReply>;
  /** The epoch row as last seen; undefined before the first look. */
  life(): GateEpoch | undefined;
  /** Looks at the epoch row again; one look at a time serves all who ask. */
  refresh(): Promise<GateEpoch>;
  reportClosed(epoch: number, reason: string): Promise<void>;
}

export function createGateCaller({ redis, pool, log, metrics, waker }: GateDeps): GateCaller {
  let life: Life | undefined;
  let seenAt = 0;
  let looking: Promise<Life> | undefined;
  let connection = 0;
  let verified: { connection: number; epoch: number } | undefined;
  redis.on('ready', () => connection++);

  const refresh = () => {
    looking ??= readEpoch(pool)
      .then((row) => {
        const scripts = life?.epoch === row.epoch ? life.scripts : row.epoch > 0 ? scriptsFor(row.epoch) : undefined;
        life = { ...row, scripts };
        seenAt = performance.now();
        return life;
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };

  const report = async (epoch: number, reason: string) => {
    metrics.gateClosed.inc({ cause: reason.split(':')[0] ?? reason });
    await reportClosed(pool, epoch, reason).catch((error: unknown) =>
      log.warn({ error }, 'could not report the gate closed'),
    );
    waker.wake('gate');
  };

  /** True when this very connection leads to the server the epoch was opened on (P9). */
  const verify = async (at: Life): Promise<boolean> => {
    if (verified?.connection === connection && verified.epoch === at.epoch) return true;
    const seen = connection;
    const found = await readIdentity(redis);
    if (seen !== connection) return false;
    if (at.server && sameIdentity(at.server, found)) {
      verified = { connection: seen, epoch: at.epoch };
      return true;
    }
    await report(at.epoch, 'IDENTITY: another Redis server, or the same one restarted');
    return false;
  };

  /**
   * NOSCRIPT on the server of this epoch: only the scripts were flushed, so the same ones are loaded again, over
   * the connection that has just shown its identity, in the same turn of the event loop (P9).
   */
  const loadAgain = async (): Promise<boolean> => {
    const at = await refresh();
    verified = undefined;
    if (!at.open || at.closedReported || !at.scripts || !(await verify(at))) return false;
    const { scripts } = at;
    await Promise.all(VERBS.map((verb) => redis.script('LOAD', scripts[verb].text)));
    return true;
  };

  const send = async (
    verb: Verb,
    keys: readonly string[],
    args: (life: GateEpoch) => readonly string[],
    again: boolean,
  ): Promise<GateReply> => {
    const at = life?.open && performance.now() - seenAt < EPOCH_MAX_AGE_MS ? life : await refresh();
    if (!at.open || !at.scripts || redis.status !== 'ready' || !(await verify(at))) return { kind: 'closed' };
    let sent = false;
    try {
      const answer = redis.evalsha(at.scripts[verb].sha, keys.length, ...keys, ...args(at));
      sent = true;
      return { kind: 'reply', parts: ((await answer) as (string | number)[]).map(String), epoch: at.epoch };
    } catch (error) {
      if (!sent) throw error;
      return await judge(error, again, () => send(verb, keys, args, false));
    }
  };

  const judge = async (error: unknown, again: boolean, repeat: () => Promise<GateReply>): Promise<GateReply> => {
    if (!isErrorReply(error)) return { kind: 'unknown' };
    const word = error.message.split(' ')[0];
    if (word === 'NOSCRIPT') return again && (await loadAgain()) ? repeat() : { kind: 'closed' };
    if (word === 'READONLY' || word === 'LOADING' || word === 'MASTERDOWN') {
      verified = undefined;
      return { kind: 'closed' };
    }
    log.error({ error: error.message }, 'the gate refused a command');
    return { kind: 'failed', message: error.message };
  };

  return {
    life: () => life,
    refresh,
    reportClosed: report,
    async call(verb, keys, args) {
      try {
        return await send(verb, keys, args, true);
      } catch (error) {
        // Nothing was sent: the epoch row or the identity could not be read.
        log.debug({ error }, 'gate not reachable');
        return { kind: 'closed' };
      }
    },
  };
}

function isErrorReply(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
