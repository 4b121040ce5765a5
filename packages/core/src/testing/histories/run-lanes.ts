/** Lanes beside each other, one a core, and what they found together. */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Failure, LaneReport, LaneWish } from './lane-report.ts';
import type { Script } from './tape.ts';

const ROOT = resolve(import.meta.dirname, '../../../../..');
const HOOKS = join(import.meta.dirname, '../plants/hooks.ts');

export interface HistoriesWish {
  readonly count: number;
  readonly seed: number;
  readonly lanes: number;
  /** Most commands of one history. */
  readonly longest?: number;
  readonly path?: string;
  /** Name of a planted fault. */
  readonly plant?: string;
  readonly shrink?: boolean;
  readonly signal?: AbortSignal;
}
export interface HistoriesFound {
  readonly histories: number;
  readonly steps: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly failures: readonly Failure[];
  readonly seconds: number;
}

const LONGEST = 50;

/** With a planted fault the first lane that notices it ends the others. */
export async function runLanes(wish: HistoriesWish): Promise<HistoriesFound> {
  const { count, seed, lanes, longest = LONGEST, shrink = true } = wish;
  const wishes = Array.from(
    { length: wish.path === undefined ? lanes : 1 },
    (_, lane): LaneWish => ({
      ...{ lane, longest, shrink, seed: seed + lane, runs: wish.path === undefined ? Math.ceil(count / lanes) : 1 },
      ...(wish.path !== undefined && { path: wish.path }),
    }),
  );
  const enough = new AbortController();
  const ended = wish.signal ? AbortSignal.any([enough.signal, wish.signal]) : enough.signal;
  return addUp(() =>
    wishes.map(async (one) => {
      const report = await runLane(one, wish.plant, ended);
      if (report.failure && wish.plant) enough.abort();
      return report;
    }),
  );
}

/** Schedules that once failed. */
export function runScripts(scripts: readonly Script[], plant?: string): Promise<HistoriesFound> {
  return addUp(() =>
    scripts.map((script, lane) =>
      runLane({ lane, script, seed: 0, runs: 1, longest: LONGEST, shrink: false }, plant, new AbortController().signal),
    ),
  );
}

async function addUp(start: () => Promise<LaneReport>[]): Promise<HistoriesFound> {
  const started = performance.now();
  const reports = await Promise.all(start());
  const counts: Record<string, number> = {};
  for (const report of reports)
    for (const [what, times] of Object.entries(report.counts)) counts[what] = (counts[what] ?? 0) + times;
  return {
    counts,
    histories: reports.reduce((sum, report) => sum + report.histories, 0),
    steps: reports.reduce((sum, report) => sum + report.steps, 0),
    failures: reports.flatMap(({ failure }) => failure ?? []),
    seconds: (performance.now() - started) / 1000,
  };
}

/** @throws when the lane ends without a report */
function runLane(wish: LaneWish, plant: string | undefined, signal: AbortSignal): Promise<LaneReport> {
  const hooks = plant === undefined ? [] : ['--import', HOOKS];
  const child = spawn(process.execPath, [...hooks, join(import.meta.dirname, 'lane.ts'), JSON.stringify(wish)], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '', HOLDFAST_PLANT: plant ?? '' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let last: LaneReport = { histories: 0, steps: 0, counts: {} };
  let whole = false;
  let log = '';
  child.on('message', (message: Partial<LaneReport>) => {
    last = { ...last, ...message };
    whole ||= message.counts !== undefined;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end, { once: true });
  return new Promise((done, failed) =>
    child.once('error', failed).once('close', (code) => {
      signal.removeEventListener('abort', end);
      if (whole || signal.aborted) done(last);
      else failed(new Error(`lane ${wish.lane} ended with ${code}:\n${log.slice(-4000)}`));
    }),
  );
}
