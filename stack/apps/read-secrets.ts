import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeJson } from '../process/claim-folder.ts';

const NAMES = ['PAYMENT_WEBHOOK_SECRET', 'BETTER_AUTH_SECRET', 'BUYER_COOKIE_SECRET'] as const;
export type Secrets = Record<(typeof NAMES)[number], string>;

/** The secrets of the stack in this folder, made at its first start; a missing one is added, so logins survive. */
export function readSecrets(dir: string): Secrets {
  const file = join(dir, 'secrets.json');
  const kept = readKept(file);
  const fresh = () => randomBytes(32).toString('base64url');
  const entries = NAMES.map((name) => [name, kept[name] ?? fresh()]);
  mkdirSync(dir, { recursive: true });
  writeJson(file, Object.fromEntries(entries));
  return Object.fromEntries(entries) as Secrets;
}

function readKept(file: string): Partial<Secrets> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Secrets>;
  } catch {
    return {}; // first start, or a file that is no longer readable: new secrets only end sessions
  }
}
