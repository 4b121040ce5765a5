/**
 * A lane: a process of plain Node with servers of its own that plays one history after the other, makes a failing one
 * smaller, and tells its parent. Arguments: what to play, as JSON.
 */
import fc from 'fast-check';
import type { LaneReport, LaneWish } from './lane-report.ts';
import { openLaneStores } from './lane-stores.ts';
import { createMemberParts } from './members.ts';
import { nameCommands, type Played, runHistory } from './run-history.ts';
import { LARGEST, type Script, type Tape } from './tape.ts';
import { takeOverTime } from './virtual-time.ts';
import { WORLD_NUMBERS } from './world.ts';

const wish = JSON.parse(process.argv[2] ?? '{}') as LaneWish;
const SHRINK_LIMIT_NS = 90_000_000_000n;

const number = fc.nat(LARGEST);
const tape: fc.Arbitrary<Tape> = fc.record({ what: number, who: number, how: number, fault: number });
const script: fc.Arbitrary<Script> = fc.record({
  world: fc.array(number, { minLength: WORLD_NUMBERS, maxLength: WORLD_NUMBERS, size: 'max' }),
  tapes: fc.array(tape, { minLength: 1, maxLength: wish.longest, size: 'max' }),
});

const stores = await openLaneStores(`lane_${wish.lane}`);
const counts = new Map<string, number>();
const lane = { stores, parts: createMemberParts(stores), count: (what: string) => void add(what, 1) };
let [histories, steps] = [0, 0];
takeOverTime();
// Told to stop, or left alone: its servers go with it.
const leave = () => void stores.close().finally(() => process.exit(1));
process.once('SIGTERM', leave);
process.once('disconnect', leave);

try {
  const report = wish.script ? await playOne(wish.script) : await playMany();
  process.send?.({ ...report, histories, steps, counts: Object.fromEntries(counts) } satisfies LaneReport);
} finally {
  process.off('disconnect', leave);
  await stores.close();
  process.disconnect?.();
}

async function play(one: Script): Promise<Played> {
  const played = await runHistory(lane, one);
  histories++;
  steps += played.steps;
  return played;
}

async function playOne(one: Script): Promise<Pick<LaneReport, 'failure'>> {
  const { broken, words } = await play(one);
  return broken.length > 0 ? { failure: { broken, words, script: one } } : {};
}

async function playMany(): Promise<Pick<LaneReport, 'failure'>> {
  let failedAt: bigint | undefined;
  let before = 0;
  const property = fc.asyncProperty(script, async (one) => {
    // Making it smaller has an end: from then on nothing counts as failing.
    if (failedAt !== undefined && process.hrtime.bigint() - failedAt > SHRINK_LIMIT_NS) return;
    const { broken } = await play(one);
    if (failedAt === undefined && histories % 25 === 0) process.send?.({ histories });
    if (broken.length === 0) return;
    if (failedAt === undefined) before = histories;
    failedAt ??= process.hrtime.bigint();
    throw new Error(broken.join('\n'));
  });
  const result = await fc.check(property, {
    ...{ seed: wish.seed, numRuns: wish.runs, unbiased: true, endOnFailure: !wish.shrink },
    ...(wish.path !== undefined && { path: wish.path }),
  });
  if (!result.failed || !result.counterexample) return {};
  const [smallest] = result.counterexample;
  const { broken, words } = await play(smallest);
  histories = before;
  const at = { seed: result.seed, path: result.counterexamplePath ?? '' };
  return {
    failure: {
      ...at,
      broken:
        broken.length > 0
          ? broken
          : [
              'not broken when played again, but the first time:',
              result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance),
            ],
      words,
      script: nameCommands(smallest),
    },
  };
}

function add(what: string, by: number): void {
  counts.set(what, (counts.get(what) ?? 0) + by);
}
