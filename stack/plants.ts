import { join } from 'node:path';
import { catchPlant, controlPlants, runPlanted } from '../packages/core/src/testing/plants/catch-plant.ts';
import type { Plant } from '../packages/core/src/testing/plants/plant.ts';
import { findPlant, PLANTS } from '../packages/core/src/testing/plants/register.ts';
import { type Row, writeTable } from '../packages/core/src/testing/plants/write-table.ts';
import { ROOT } from './apps/root.ts';
import type { CheckContext } from './checks/run-check.ts';
import { generate } from './checks/static-checks.ts';
import { runProgram } from './process/run-program.ts';
import { URL_NAMES } from './services/services-file.ts';
import { startThrowAway } from './throw-away.ts';

// `npm run plants`: every planted fault against the test that is to notice it, and fails when one is not noticed; `--write`
// keeps the table in docs/reliability.md. `npm run plants -- <fault>`: that one; with a filter, any integration tests under
// it. Runs on servers that the environment names (all of them), else on a throw-away stack.

const PAGE = join(ROOT, 'docs', 'reliability.md');

await runProgram(async (run) => {
  const [first, ...filters] = process.argv.slice(2);
  const context: CheckContext = { env: process.env, signal: run.signal };
  if ((await generate(context)).failed > 0) return 1;
  await haveServers((undo) => run.atEnd(undo));
  if (first !== undefined && first !== '--write' && filters.length > 0) return runFiltered(first, filters);
  const plants = first === undefined || first === '--write' ? PLANTS : [findPlant(first)];
  return (await catchAll(plants, run.signal, first === '--write')) ? 0 : 1;
});

async function haveServers(atEnd: (undo: () => Promise<void>) => void): Promise<void> {
  const names = [...Object.values(URL_NAMES), 'HOLDFAST_STACK_DIR'];
  if (names.every((name) => process.env[name])) return;
  const stack = await startThrowAway('test', console.log);
  atEnd(() => stack.stop());
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
  const rows: Row[] = [];
  for (const plant of plants) {
    signal.throwIfAborted();
    const caught = await catchPlant(plant);
    rows.push({ plant, caught });
    const verdict = caught.failed.length > 0 ? 'caught' : 'NOT CAUGHT';
    console.log(
      `${verdict}  ${plant.name} (${plant.rule}) by "${plant.caughtBy.title}" in ${caught.seconds.toFixed(1)} s`,
    );
    if (caught.why) console.log(`        ${caught.why}`);
  }
  const missed = rows.filter(({ caught }) => caught.failed.length === 0);
  console.log(`\n${rows.length - missed.length} of ${rows.length} planted faults caught`);
  const good = missed.length === 0 && control.failed.length === 0;
  if (good && write) writeTable(PAGE, rows);
  return good;
}
