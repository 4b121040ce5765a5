/** What each cell answered last, kept between runs: a run of a part of the matrix changes its own cells only. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../read-sources.ts';

const FILE = join(ROOT, 'docs', 'fault-matrix.json');

const result = z.object({ seconds: z.number(), stranded: z.number(), failure: z.string().optional() });
const results = z.record(z.string(), z.record(z.string(), result));
export type Results = z.infer<typeof results>;
export type KeptResult = z.infer<typeof result>;

export function readResults(): Results {
  return existsSync(FILE) ? results.parse(JSON.parse(readFileSync(FILE, 'utf8'))) : {};
}

/** Reads the file again first: another run may have written other cells meanwhile. */
export function keepResult(step: string, fault: string, { seconds, stranded, failure }: KeptResult): void {
  const kept = readResults();
  const rounded = Math.round(seconds * 10) / 10;
  kept[step] = { ...kept[step], [fault]: { seconds: rounded, stranded, ...(failure && { failure }) } };
  writeFileSync(FILE, `${JSON.stringify(kept, null, 2)}\n`);
}
