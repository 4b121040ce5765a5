/**
 * Writes lua.generated.ts from lua/*.lua, so that bundlers and Node load the scripts the same way. A test proves
 * the file fresh. Run: node packages/core/src/gate/generate-lua.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';

export const SCRIPT_FILES = {
  take: 'take.lua',
  giveBack: 'give-back.lua',
  settle: 'settle.lua',
  raise: 'raise.lua',
  install: 'install.lua',
  remove: 'remove.lua',
  read: 'read.lua',
} as const;

/** The module's text: flags line, prelude, body; full-line comments are left out of what Redis stores. */
export function generateLua(): string {
  const read = (name: string) => readFileSync(new URL(`./lua/${name}`, import.meta.url), 'utf8');
  const bare = (text: string) =>
    text
      .split('\n')
      .filter((line) => !/^\s*--/.test(line) && line.trim() !== '')
      .join('\n');
  const prelude = bare(read('prelude.lua'));
  const entries = Object.entries(SCRIPT_FILES).map(([verb, file]) => {
    const [flags = '', ...body] = read(file).split('\n');
    return `  ${verb}: ${JSON.stringify([flags, prelude, bare(body.join('\n'))].join('\n'))},`;
  });
  return `// Generated from lua/*.lua by generate-lua.ts. Do not edit.\nexport const LUA = {\n${entries.join('\n')}\n} as const;\n`;
}

if (import.meta.main) writeFileSync(new URL('./lua.generated.ts', import.meta.url), generateLua());
