/**
 * One gate command, from the epoch it is sent under to what its answer means. EVALSHA only (P7): no script, no
 * sale. What is known and what is not follows P15: an error reply, or a call on a client that is not ready, did
 * not happen; anything sent without an answer is unknown and stays "held".
 */
import type { Log, Metrics, Pool, Redis, Waker } from '../platform/index.ts';
import { type GateEpoch, reportClosed } from './epoch.ts';
import { createLifeView, type LifeView } from './life.ts';
import { partsOf } from './replies.ts';
import { VERBS, type Verb } from './scripts.ts';
import { type ConnectionVerifier, createVerifier } from './verify-connection.ts';

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

export interface GateCaller {
  call(verb: Verb, keys: readonly string[], args: (life: GateEpoch) => readonly string[]): Promise<GateReply>;
  /** The epoch row as last seen; undefined before the first look. */
  life(): GateEpoch | undefined;
  refresh(): Promise<GateEpoch>;
  reportClosed(epoch: number, reason: string): Promise<void>;
}

interface Parts extends GateDeps {
  readonly view: LifeView;
  readonly verifier: ConnectionVerifier;
}
interface Command {
  readonly verb: Verb;
  readonly keys: readonly string[];
  readonly args: (life: GateEpoch) => readonly string[];
}

export function createGateCaller(deps: GateDeps): GateCaller {
  const view = createLifeView(deps.pool);
  const report = (epoch: number, reason: string) => reportAndWake(deps, epoch, reason);
  const onOther = (life: GateEpoch) => report(life.epoch, 'IDENTITY: another Redis server, or the same one restarted');
  const parts: Parts = { ...deps, view, verifier: createVerifier(deps.redis, onOther) };
  return {
    life: view.last,
    refresh: view.look,
    reportClosed: report,
    async call(verb, keys, args) {
      const command = { verb, keys, args };
      try {
        const reply = await send(parts, command);
        return reply === 'NOSCRIPT' ? await sendAgain(parts, command) : reply;
      } catch (error) {
        // Nothing was sent: the epoch row or the identity could not be read.
        deps.log.debug({ error: String(error) }, 'gate not reachable');
        return { kind: 'closed' };
      }
    },
  };
}

async function reportAndWake({ pool, log, metrics, waker }: GateDeps, epoch: number, reason: string): Promise<void> {
  metrics.gateClosed.inc({ cause: reason.split(':')[0] ?? reason });
  await reportClosed(pool, epoch, reason).catch((error: unknown) =>
    log.warn({ error: String(error) }, 'could not report the gate closed'),
  );
  waker.wake('gate');
}

/** @throws only before anything was sent */
async function send(parts: Parts, { verb, keys, args }: Command): Promise<GateReply | 'NOSCRIPT'> {
  const { redis, view, verifier } = parts;
  const life = await view.present();
  if (!life.open || life.closedReported || !life.scripts || redis.status !== 'ready' || !(await verifier.verify(life)))
    return { kind: 'closed' };
  const answer = redis.evalsha(life.scripts[verb].sha, keys.length, ...keys, ...args(life));
  try {
    return { kind: 'reply', parts: partsOf(await answer), epoch: life.epoch };
  } catch (error) {
    return judge(parts, error);
  }
}

function judge({ verifier, log }: Parts, error: unknown): GateReply | 'NOSCRIPT' {
  if (!(error instanceof Error) || error.name !== 'ReplyError') return { kind: 'unknown' };
  const word = error.message.split(' ')[0];
  if (word === 'NOSCRIPT') return 'NOSCRIPT';
  if (word === 'READONLY' || word === 'LOADING' || word === 'MASTERDOWN') {
    verifier.forget();
    return { kind: 'closed' };
  }
  log.error({ error: error.message }, 'the gate refused a command');
  return { kind: 'failed', message: error.message };
}

/**
 * NOSCRIPT on the server of this epoch: only the scripts were flushed, so the same ones are loaded again, over the
 * connection that has just shown its identity, in the same turn of the event loop, and only while the database
 * says that the epoch is open (P9). On any other server nothing is loaded and nothing sold.
 */
async function sendAgain(parts: Parts, command: Command): Promise<GateReply> {
  const { redis, view, verifier } = parts;
  const life = await view.look();
  verifier.forget();
  if (!life.open || life.closedReported || !life.scripts || !(await verifier.verify(life))) return { kind: 'closed' };
  const { scripts } = life;
  await Promise.all(VERBS.map((verb) => redis.script('LOAD', scripts[verb].text)));
  const reply = await send(parts, command);
  return reply === 'NOSCRIPT' ? { kind: 'closed' } : reply;
}
