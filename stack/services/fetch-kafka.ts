import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../process/install-package.ts';
import { findOnPath, mustRun } from '../process/run-command.ts';

const POM = join(import.meta.dirname, '..', 'kafka', 'pom.xml');
// Shared by demo, tests and benchmarks of one clone, so only the first of them waits for Maven Central.
const CACHE = join(import.meta.dirname, '..', '..', '.stack', 'kafka-libs');
const LIMIT_MS = 10 * 60_000;
const OLDEST_JAVA = 17;

export type KafkaHome = { java: string; classPath: string };

export async function fetchKafka(say: (line: string) => void): Promise<KafkaHome> {
  const java = await findJava(say);
  const libs = join(CACHE, createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 16));
  if (!existsSync(libs)) await download(libs, say);
  return { java, classPath: join(libs, '*') };
}

async function findJava(say: (line: string) => void): Promise<string> {
  if (findOnPath('java') === undefined) await installPackages(['default-jre-headless'], say);
  const java = findOnPath('java');
  if (java === undefined) throw new Error('java is still not on the path after its installation');
  const version = await mustRun(java, ['-version'], { timeoutMs: 30_000 });
  const major = Number(/version "(\d+)/.exec(version)?.[1] ?? 0);
  if (major < OLDEST_JAVA) throw new Error(`Java ${OLDEST_JAVA} or newer is needed, ${java} is ${major}`);
  return java;
}

/** Into a folder beside, then renamed: a folder with the final name is always complete. */
async function download(libs: string, say: (line: string) => void): Promise<void> {
  if (findOnPath('mvn') === undefined) await installPackages(['maven'], say);
  say('kafka: fetching its jars from Maven Central (about 43 MB, once)');
  const draft = `${libs}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const args = ['-q', '-B', '-f', POM, 'dependency:copy-dependencies', '-DincludeScope=runtime'];
  try {
    await mustRun('mvn', [...args, `-DoutputDirectory=${draft}`], { timeoutMs: LIMIT_MS });
    if (!existsSync(libs)) renameSync(draft, libs);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
