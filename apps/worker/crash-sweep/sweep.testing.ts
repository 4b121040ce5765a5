/**
 * The crash sweep: one handler, crashed before and after each of its calls. For every point a situation of its own; then
 * a new process does what processes do, time passes until whatever is unproven is proven and whatever is unpaid has
 * ended, and every invariant has to hold. A request is then sent again, with its own key.
 */
import { type CrashingProcess, crashAt } from '@holdfast/core/testing';
import { openProcess, type ProductProcess } from './open-process.testing.ts';
import { openSweepShop, type SweepShop } from './sweep-shop.testing.ts';

/** What is there before, what the handler does about it, and what has to be true besides the invariants. */
export interface Situation {
  readonly act: (process: ProductProcess, crash: CrashingProcess) => Promise<unknown>;
  /** A request, sent again after the crash: says what is wrong, if anything. */
  readonly again?: () => Promise<string | undefined>;
  /** Says what is wrong after everything, if anything. */
  readonly holds?: () => Promise<string | undefined>;
}
export interface SweptHandler {
  readonly name: string;
  readonly given: (shop: SweepShop) => Promise<Situation>;
  /** Events go through the broker. */
  readonly streamed?: boolean;
  /** Nothing else can begin until the crash is recovered from. */
  readonly alone?: boolean;
}

export interface SweepRow {
  readonly handler: string;
  readonly points: number;
  readonly passed: number;
  readonly wrong: readonly string[];
}

const MOST_CALLS = 300;
/** Points that are recovered from together; where a crash stops the shop, each alone. */
const TOGETHER = 10;
/** Past the proof age of a hold (P17), and past the time to pay. */
const PROVEN_MS = 2 * 60_000;
const UNPAID_MS = 20 * 60_000;

interface Crashed {
  readonly point: string;
  readonly given: Situation;
}

export async function sweep(swept: SweptHandler, brokers: string | undefined): Promise<SweepRow> {
  const shop = await openSweepShop(swept.name.replaceAll(/\W+/g, '_'), brokers);
  const wrong: string[] = [];
  let [points, failed] = [0, 0];
  try {
    for (const edge of ['before', 'after'] as const) {
      let waiting: Crashed[] = [];
      for (let at = 0, met = true; met; at++) {
        if (at > MOST_CALLS) throw new Error(`${swept.name} makes more than ${MOST_CALLS} calls`);
        const crash = crashAt(at, edge);
        const given = await crashOnce(swept, shop, crash);
        met = crash.met();
        if (met) points++;
        const { server, what } = crash.calls[at] ?? { server: 'it ended', what: 'by itself' };
        waiting.push({ given, point: `${edge} ${at} (${server} ${what})` });
        if (met && !swept.alone && waiting.length < TOGETHER) continue;
        const found = await judge(shop, waiting, swept.streamed ? 'streamed' : 'straight');
        if (found.length > 0) failed += Math.min(points, waiting.length);
        wrong.push(...found);
        waiting = [];
      }
    }
  } finally {
    await shop.close();
  }
  return { handler: swept.name, points, passed: points - failed, wrong };
}

async function crashOnce(swept: SweptHandler, shop: SweepShop, crash: CrashingProcess): Promise<Situation> {
  const given = await swept.given(shop);
  const process = await openProcess(shop.shop, shop.stream, crash.io);
  try {
    const acting = given.act(process, crash).catch((error: unknown) => {
      if (!crash.met()) throw error;
    });
    await Promise.race([acting, crash.died]);
    if (crash.met()) await crash.died;
    return given;
  } finally {
    process.close();
  }
}

async function judge(shop: SweepShop, crashed: readonly Crashed[], way: 'streamed' | 'straight'): Promise<string[]> {
  const found: string[] = [];
  const points = crashed.map(({ point }) => point).join('; ');
  const look = async (when: string) => {
    for (const { invariant, sentence, subject, detail } of await shop.check())
      found.push(`${points}: ${when}: invariant ${invariant}, ${sentence}: ${subject}: ${detail}`);
  };
  await shop.recover(way);
  await shop.pass(PROVEN_MS);
  await shop.recover(way);
  await look('proven');
  for (const { given, point } of crashed) {
    const again = await given.again?.();
    if (again) found.push(`${point}: ${again}`);
  }
  await shop.pass(UNPAID_MS);
  await shop.recover(way);
  await look('ended');
  for (const { given, point } of crashed) {
    const holds = await given.holds?.();
    if (holds) found.push(`${point}: ${holds}`);
  }
  return found;
}
