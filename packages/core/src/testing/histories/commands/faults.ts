/** What happens to the shop from outside: time passes, Redis loses things, held processes go on, lost calls arrive. */
import { skuKeys } from '../../../gate/index.ts';
import { setClockOffset } from '../../clock.ts';
import type { Command } from '../command.ts';
import { type History, note, resume } from '../history.ts';
import { part, pick, type Tape } from '../tape.ts';
import { advance } from '../virtual-time.ts';

const JUMPS_MS = [5_000, 11_000, 61_000, 61_000, 310_000, 910_000, 1_900_000];
/** Redis forgets the ids of an attempt after this long. */
const ATTEMPT_MS = 120_000;

export const FAULTS: readonly Command[] = [
  { name: 'time', weight: 7, run: (history, { how }) => passTime(history, pick(JUMPS_MS, how) ?? 0) },
  { name: 'go-on', weight: 8, run: goOn },
  { name: 'late-call', weight: 4, run: (history, { how }) => arrive(history, how) },
  { name: 'restart-redis', weight: 3, kind: 'redis', run: restart },
  { name: 'flush-scripts', weight: 2, kind: 'redis', run: flushScripts },
  { name: 'flush-all', weight: 1, kind: 'redis', run: flushAll },
  { name: 'lose-key', weight: 2, kind: 'redis', run: loseKey },
  { name: 'new-primary', weight: 1, kind: 'redis', run: failOver },
];

export async function passTime(history: History, ms: number): Promise<void> {
  history.clockMs += ms;
  advance(ms);
  await setClockOffset(history.stores.pool, history.clockMs);
  if (ms >= ATTEMPT_MS) await forgetAttempts(history);
  note(history, `${ms / 1000} s pass`);
  history.count('time');
}

async function forgetAttempts({ stores: { redis } }: History): Promise<void> {
  const names = await redis.keys('order:attempt:*');
  if (names.length > 0) await redis.del(names);
}

async function goOn(history: History, { how, who }: Tape): Promise<void> {
  if (history.held.length > 0) await resume(history, who % history.held.length, how % 3 === 2 ? 'dies' : 'goes-on');
}

export async function arrive(history: History, choice: number): Promise<void> {
  const [late] = history.late.splice(choice % Math.max(1, history.late.length), 1);
  if (!late) return;
  history.count('! arrives late');
  const outcome = await late.run().then(
    () => 'done',
    (error: unknown) => String(error),
  );
  note(history, `arrives late: ${late.call.what}: ${outcome}`);
}

function said(history: History, what: string): void {
  note(history, `Redis: ${what}`);
  history.count(`! redis ${what}`);
}

/** As its clients see it: other identity, no scripts, broken connections, and the data it had, had once, or none. */
async function restart(history: History, { how }: Tape): Promise<void> {
  const data = (['kept', 'empty', 'half'] as const)[part(how, 0, 3)] ?? 'kept';
  const { redis } = history.stores;
  if (data === 'empty') await redis.flushall();
  if (data === 'half')
    for (const key of (await redis.keys('*')).toSorted().filter((_, index) => index % 2)) await redis.del(key);
  await redis.script('FLUSH');
  await changeIdentity(history);
  said(history, `restart ${data}`);
}

async function failOver(history: History): Promise<void> {
  await changeIdentity(history);
  said(history, 'demoted and promoted');
}

async function changeIdentity({ stores: { redis }, members }: History): Promise<void> {
  await redis.replicaof('127.0.0.1', 1);
  await redis.replicaof('NO', 'ONE');
  for (const member of members) member.sever();
}

async function flushScripts(history: History): Promise<void> {
  await history.stores.redis.script('FLUSH');
  said(history, 'scripts flushed');
}

async function flushAll(history: History): Promise<void> {
  await history.stores.redis.flushall();
  said(history, 'flushed');
}

/** Any key of a SKU but its version, which nothing ever removes (P10). */
async function loseKey(history: History, { how }: Tape): Promise<void> {
  const sku = pick(history.world.skus, how);
  const keys = sku ? skuKeys(sku) : [];
  const key = keys[[0, 1, 2, 4][part(how, 1, 4)] ?? 0];
  if (key && (await history.stores.redis.del(key)) > 0) said(history, 'key lost');
}
