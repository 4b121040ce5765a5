/** The bounded form of `npm run plants`: one fault of each kind of place has to be noticed. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { catchPlant } from './catch-plant.ts';
import { findPlant } from './register.ts';

const run = promisify(execFile);
const CORE = join(import.meta.dirname, '..', '..');
const LIMIT_MS = 180_000;

test.each([
  ['a script of the gate', 'raise-sets'],
  ['a function of the database', 'epoch-not-checked'],
  ['what the schema keeps', 'effects-not-unique'],
  ['a source', 'unknown-commit-is-refusal'],
  ['the install script', 'loading-mark-left-out'],
  ['the marks of effects', 'mark-without-epoch'],
])(
  'A rule broken in %s (%s) is noticed by the test aimed at it',
  async (_, name) => {
    const { failed, why } = await catchPlant(findPlant(name));
    expect(failed).toHaveLength(1);
    expect(why).toMatch(/AssertionError|promise resolved/);
  },
  LIMIT_MS,
);

/** What a process of its own gets to see of a source. */
async function evaluate(plant: string, file: string, expression: string): Promise<string> {
  const program = `const m = await import(${JSON.stringify(join(CORE, file))}); console.log(JSON.stringify(${expression}))`;
  const { stdout } = await run(
    process.execPath,
    ['--import', join(import.meta.dirname, 'hooks.ts'), '--input-type=module', '-e', program],
    { env: { ...process.env, HOLDFAST_PLANT: plant } },
  );
  return stdout.trim();
}

test('A process has the fault that it was started with, and no other', async () => {
  const lines = '[{ lines: [1, 2].map((quantity) => ({ shopId: "S1", skuId: "K1", quantity })), change: m.RESERVE }]';
  const reserved = (plant: string) => evaluate(plant, 'ledger/sum-by-sku.ts', `m.sumBySku(${lines})[0].reserved`);
  expect(await Promise.all(['', 'sku-twice-counts-once', 'raise-sets'].map(reserved))).toEqual(['3', '2', '3']);
  const raises = (plant: string) => evaluate(plant, 'gate/lua.generated.ts', 'm.LUA.raise.includes("if true then")');
  expect(await Promise.all(['', 'raise-sets'].map(raises))).toEqual(['false', 'true']);
  await expect(reserved('no-such-fault')).rejects.toThrow('no planted fault');
});
