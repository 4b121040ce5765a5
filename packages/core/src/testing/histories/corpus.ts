/** Schedules that once failed, each with what it found; they are played before all others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Script } from './tape.ts';

const number = z.number().int().nonnegative();
const kept = z.array(
  z.object({
    found: z.string(),
    world: z.array(number),
    /** Command, who, how, fault. */
    tapes: z.array(z.tuple([z.string(), number, number, number])),
  }),
);

export function readCorpus(): { readonly found: string; readonly script: Script }[] {
  const text = readFileSync(join(import.meta.dirname, 'corpus.json'), 'utf8');
  return kept.parse(JSON.parse(text)).map(({ found, world, tapes }) => ({
    found,
    script: { world, tapes: tapes.map(([what, who, how, fault]) => ({ what, who, how, fault })) },
  }));
}
