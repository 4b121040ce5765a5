/** The gate's scripts for one epoch: text and SHA. Only the gatekeeper, or P9's re-load, sends the text. */
import { createHash } from 'node:crypto';
import { LUA } from './lua.generated.ts';

export type Verb = keyof typeof LUA;
export interface Script {
  readonly sha: string;
  readonly text: string;
}
export type Scripts = Readonly<Record<Verb, Script>>;

export const VERBS = Object.keys(LUA) as Verb[];

export function scriptsFor(epoch: number): Scripts {
  if (!Number.isSafeInteger(epoch) || epoch < 1) throw new Error(`no scripts for epoch ${epoch}`);
  const entries = VERBS.map((verb) => {
    const text = LUA[verb].replace('{{epoch}}', String(epoch));
    return [verb, { text, sha: createHash('sha1').update(text).digest('hex') }] as const;
  });
  return Object.fromEntries(entries) as Record<Verb, Script>;
}
