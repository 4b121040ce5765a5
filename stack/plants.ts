import { join } from 'node:path';
import { runLanes } from '../packages/core/src/testing/histories/run-lanes.ts';
import { type Caught, catchPlant, controlPlants, runPlanted } from '../packages/core/src/testing/plants/catch-plant.ts';
import type { Plant } from '../packages/core/src/testing/plants/plant.ts';
import { findPlant, PLANTS } from '../packages/core/src/testing/plants/register.ts';
import { writeTable } from '../packages/core/src/testing/plants/write-table.ts';
import { ROOT } from './apps/root.ts';
import { generate } from './checks/static-checks.ts';
import { type Run, runProgram } from './process/run-program.ts';
import { URL_NAMES } from './services/services-file.ts';
import { startThrowAway } from './throw-away.ts';

// `npm run plants`: every planted fault against the test that is to notice it, and fails when one is not noticed; `--write`
// keeps the table in docs/reliability.md. `-- <fault>`: that one; with a filter, any integration tests under it.
// `-- --histories N [fault]`: how many random histories it takes, at most N. Runs on servers that the environment names (all
// of them), else on a throw-away stack.

const PAGE = join(ROOT, 'docs', 'reliability.md');
const LANES = 2;
/** A fault may make a history wait for what never comes. */
const HISTORIES_LIMIT_MS = 60_000;

await runProgram(async (run) => {
  const [first, ...filters] = process.argv.slice(2);
  if ((await generate({ env: process.env, signal: run.signal })).failed > 0) return 1;
  await haveServers(run);
  if (first === '--histories') return runHistories(Number(filters[0] ?? 100), filters.slice(1), run.signal);
  if (first !== undefined && first !== '--write' && filters.length > 0) return runFiltered(first, filters);
  const plants = first === undefined || first === '--write' ? PLANTS : [findPlant(first)];
  return (await catchAll(plants, run.signal, first === '--write')) ? 0 : 1;
});

async function haveServers(run: Run): Promise<void> {
  const names = [...Object.values(URL_NAMES), 'HOLDFAST_STACK_DIR'];
  if (names.every((name) => process.env[name])) return;
  const stack = await startThrowAway('test', console.log);
  run.atEnd(() => stack.stop());
  Object.assign(process.env, stack.urls, { HOLDFAST_STACK_DIR: stack.dir });
}

async function runFiltered(name: string, filters: readonly string[]): Promise<number> {
  const { failed, ran, seconds, why } = await runPlanted(findPlant(name).name, filters);
  for (const title of failed) console.log(`failed: ${title}`);
  console.log(`${failed.length} of ${ran} tests noticed "${name}" in ${seconds.toFixed(1)} s. ${why}`);
  return failed.length > 0 ? 0 : 1;
}

async function catchAll(plants: readonly Plant[], signal: AbortSignal, write: boolean): Promise<boolean> {
  const control = await controlPlants(plants);
  console.log(`without a fault ${control.ran - control.failed.length} of ${control.ran} tests pass`);
  for (const title of control.failed) console.log(`FAILS WITHOUT A FAULT  ${title}`);
  const tests = new Map<string, Caught>();
  for (const plant of plants) {
    signal.throwIfAborted();
    const caught = await catchPlant(plant);
    tests.set(plant.name, caught);
    const verdict = caught.failed.length > 0 ? 'caught' : 'NOT CAUGHT';
    const seconds = caught.seconds.toFixed(1);
    console.log(`${verdict}  ${plant.name} (${plant.rule}) by "${plant.caughtBy.title}" in ${seconds} s`);
    if (caught.why) console.log(`        ${caught.why}`);
  }
  const missed = [...tests.values()].filter(({ failed }) => failed.length === 0);
  console.log(`\n${tests.size - missed.length} of ${tests.size} planted faults caught`);
  const good = missed.length === 0 && control.failed.length === 0;
  if (good && write) writeTable(PAGE, { tests });
  return good;
}

/** Not every fault shows in a history: those that another rule hides have their aimed test. So this fails for none. */
async function runHistories(count: number, names: readonly string[], signal: AbortSignal): Promise<number> {
  const histories = new Map<string, string>();
  for (const { name } of names.length > 0 ? names.map(findPlant) : PLANTS) {
    signal.throwIfAborted();
    const ended = AbortSignal.any([signal, AbortSignal.timeout(HISTORIES_LIMIT_MS)]);
    const wish = { count, seed: 1, lanes: LANES, plant: name, shrink: false, signal: ended };
    const found = await runLanes(wish).catch((error: unknown) => String(error).slice(0, 200));
    const word = typeof found === 'object' && found.failures.length > 0 ? String(found.histories) : '–';
    histories.set(name, word);
    console.log(`${word === '–' ? 'not seen' : `caught after ${word} histories`}  ${name}`);
    if (typeof found === 'string') console.log(`        ${found}`);
    writeTable(PAGE, { histories });
  }
  return 0;
}
