/** Reads prisma/schema and compares it with a database by Prisma's engine. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withSchemaEngine } from './schema-engine.ts';

const SCHEMA_DIR = join(import.meta.dirname, 'schema');

/** Returns the SQL that would turn the database into what the schema says; empty when both agree. */
export async function diffFromSchema(url: string): Promise<string> {
  const names = (await readdir(SCHEMA_DIR)).filter((name) => name.endsWith('.prisma')).sort();
  const files = await Promise.all(
    names.map(async (name) => ({
      path: join(SCHEMA_DIR, name),
      content: await readFile(join(SCHEMA_DIR, name), 'utf8'),
    })),
  );
  const datamodels = files.map(({ path, content }): [string, string] => [path, content]);
  const { exitCode, stdout } = await withSchemaEngine(
    url,
    (engine) =>
      engine.diff({
        from: { tag: 'schemaDatasource', files, configDir: SCHEMA_DIR },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: true,
        filters: { externalTables: [], externalEnums: [] },
      }),
    datamodels,
  );
  return exitCode === 0 ? '' : (stdout ?? 'different');
}
