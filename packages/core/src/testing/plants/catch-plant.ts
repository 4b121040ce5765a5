/** Runs integration tests with a fault planted and says which of them failed. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Plant } from './plant.ts';

const ROOT = resolve(import.meta.dirname, '../../../../..');
const LIMIT_MS = 180_000;

export interface Caught {
  /** Titles of the tests that failed; empty: nothing noticed the fault. */
  readonly failed: readonly string[];
  /** How many ran at all. */
  readonly ran: number;
  readonly seconds: number;
  /** First line of the first failure. */
  readonly why: string;
}

/** The tests that the register names for a plant. */
export function catchPlant({ name, caughtBy }: Plant): Promise<Caught> {
  return runPlanted(name, [`packages/core/src/${caughtBy.file}`, '-t', pattern([caughtBy.title])]);
}

/** Without a fault nothing fails: whatever fails with one is caused by it. */
export function controlPlants(plants: readonly Plant[]): Promise<Caught> {
  const files = new Set(plants.map(({ caughtBy }) => `packages/core/src/${caughtBy.file}`));
  return runPlanted('', [...files, '-t', pattern(plants.map(({ caughtBy }) => caughtBy.title))]);
}

const pattern = (titles: readonly string[]) =>
  titles.map((title) => title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');

/** @param args of `vitest run`: file filters and options */
export async function runPlanted(name: string, args: readonly string[]): Promise<Caught> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-plant-'));
  const report = join(folder, 'report.json');
  const started = performance.now();
  try {
    const log = await runVitest(name, [...args, '--reporter=json', `--outputFile=${report}`]);
    const seconds = (performance.now() - started) / 1000;
    return { ...readReport(report, log), seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runVitest(name: string, args: readonly string[]): Promise<string> {
  const config = join(import.meta.dirname, 'vitest.config.ts');
  // A run within a test must not take itself for a worker of that one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('VITEST')));
  const child = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config, ...args],
    {
      cwd: ROOT,
      env: { ...env, HOLDFAST_PLANT: name, NODE_OPTIONS: `--import ${join(import.meta.dirname, 'hooks.ts')}` },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    },
  );
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
  return new Promise((done, failed) => child.once('error', failed).once('close', () => done(log)));
}

interface Report {
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** @throws when no test ran, or one stumbled over a name: a fault which only breaks the sources never counts as noticed */
function readReport(file: string, log: string): Omit<Caught, 'seconds'> {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch (error) {
    throw new Error(`the run left no report:\n${log.slice(-2000)}`, { cause: error });
  }
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const ran = tests.filter(({ status }) => status === 'passed' || status === 'failed');
  const failed = ran.filter(({ status }) => status === 'failed');
  if (ran.length === 0)
    throw new Error(
      `no test ran:\n${report.testResults.map(({ message }) => message).join('\n')}\n${log.slice(-2000)}`,
    );
  const why = failed[0]?.failureMessages?.[0] ?? '';
  if (why.startsWith('ReferenceError:')) throw new Error(`the fault names what is not there: ${firstLine(why)}`);
  return { failed: failed.map(({ fullName }) => fullName.trim()), ran: ran.length, why: firstLine(why) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
const firstLine = (text: string) => text.replaceAll(/\x1b\[[0-9;]*m/g, '').split('\n')[0] ?? '';
