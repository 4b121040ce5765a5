import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFiles } from './apps/hash-files.ts';
import { ROOT } from './apps/root.ts';
import { mustRun } from './process/run-command.ts';

// `node stack/generate.ts`: writes the code that is made from other sources (Prisma's client, the gate's scripts).

const LIMIT_MS = 2 * 60_000;
const SOURCES = ['prisma/schema', 'prisma.config.ts', 'package-lock.json'];
const MARK = join(ROOT, 'packages/core/src/platform/prisma/generated/holdfast-sources');
const LUA = join(ROOT, 'packages/core/src/gate/generate-lua.ts');

await generatePrisma();
if (existsSync(LUA)) await mustRun(process.execPath, [LUA], { cwd: ROOT, timeoutMs: LIMIT_MS });

async function generatePrisma(): Promise<void> {
  const sources = hashFiles(ROOT, SOURCES);
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === sources) return;
  const env = {
    // Read by prisma.config.ts; generating connects to nothing.
    DATABASE_URL: 'postgresql://none@127.0.0.1:1/none',
    ...process.env,
    // Generating does not use the schema engine, but looks for its file and would download it; any executable will do.
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
  };
  const prisma = join(ROOT, 'node_modules', '.bin', 'prisma');
  await mustRun(process.execPath, [prisma, 'generate'], { cwd: ROOT, env, timeoutMs: LIMIT_MS });
  mkdirSync(join(MARK, '..'), { recursive: true });
  writeFileSync(MARK, sources);
}
