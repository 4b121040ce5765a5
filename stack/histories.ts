import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { readCorpus } from '../packages/core/src/testing/histories/corpus.ts';
import { type HistoriesFound, runLanes, runScripts } from '../packages/core/src/testing/histories/run-lanes.ts';
import { findPlant } from '../packages/core/src/testing/plants/register.ts';
import { generate } from './checks/static-checks.ts';
import { type Run, runProgram } from './process/run-program.ts';
import { startThrowAway } from './throw-away.ts';

// `npm run histories`: 10 000 random histories of the real code, and before them every schedule that ever failed. `-- --count N
// --seed S --lanes L`; `--replay SEED[:PATH]` plays one lane's again; `--plant NAME` must find that fault. Runs on the
// servers that the environment names, else on a throw-away stack.

const MOST_LANES = 2;

await runProgram(async (run) => {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(1 + (Date.now() % 1_000_000_000)) },
      lanes: { type: 'string', default: String(Math.min(MOST_LANES, availableParallelism())) },
      plant: { type: 'string' },
      replay: { type: 'string' },
    },
  });
  if ((await generate({ env: process.env, signal: run.signal })).failed > 0) return 1;
  await haveServers(run);
  const plant = values.plant === undefined ? undefined : findPlant(values.plant).name;
  const [seed, path] = (values.replay ?? values.seed).split(/:(.*)/s);
  const kept =
    values.replay === undefined
      ? await runScripts(
          readCorpus().map(({ script }) => script),
          plant,
        )
      : undefined;
  if (kept) report('schedules that once failed', kept);
  const found = await runLanes({
    ...{ count: Number(values.count), seed: Number(seed), lanes: Number(values.lanes), signal: run.signal },
    ...(plant !== undefined && { plant, shrink: false }),
    ...(path && { path }),
  });
  report(`histories from seed ${seed}`, found);
  const failed = found.failures.length + (kept?.failures.length ?? 0) > 0;
  if (plant === undefined) return failed ? 1 : 0;
  console.log(failed ? `caught: ${plant}, after ${found.histories} histories` : `NOT CAUGHT: ${plant}`);
  return failed ? 0 : 1;
});

async function haveServers(run: Run): Promise<void> {
  if (process.env.DATABASE_URL) return;
  const stack = await startThrowAway('test', console.log);
  run.atEnd(() => stack.stop());
  Object.assign(process.env, stack.urls, { HOLDFAST_STACK_DIR: stack.dir });
}

function report(what: string, { histories, steps, counts, failures, seconds }: HistoriesFound): void {
  for (const { seed, path, broken, words, script } of failures) {
    console.log(`\nVIOLATION${seed === undefined ? '' : `, again by: npm run histories -- --replay ${seed}:${path}`}`);
    for (const line of words) console.log(`  ${line}`);
    for (const line of broken) console.log(`BROKEN: ${line}`);
    console.log(`for the corpus: ${JSON.stringify(script)}`);
  }
  if (histories === 0) return;
  const did = Object.entries(counts).toSorted(([a], [b]) => a.localeCompare(b));
  console.log(`\n${did.map(([name, times]) => `${name} ${times}`).join(', ')}`);
  console.log(
    `${histories} ${what}, ${failures.length} violations, ${steps} steps, ${seconds.toFixed(0)} s, ${((seconds * 1000) / histories).toFixed(0)} ms each`,
  );
}
