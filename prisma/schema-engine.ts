/**
 * Prisma's schema engine as WebAssembly, over the pg adapter: applies migrations and compares schemas without
 * downloading a native engine. Rows in `_prisma_migrations` are those of `prisma migrate deploy`.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

export type { SchemaEngine } from '@prisma/schema-engine-wasm/schema_engine_bg';

/** The part of the language's WebAssembly that is used; type libraries without a browser do not know it. */
declare const WebAssembly: {
  instantiate(code: Uint8Array, imports: Record<string, Imports>): Promise<{ instance: { exports: Exports } }>;
};
type Imports = Record<string, unknown>;
interface Exports {
  __wbindgen_start(): void;
}

/** What the JavaScript half of the package offers but does not declare. */
interface Bindings {
  __wbg_set_wasm(exports: Exports): void;
  SchemaEngine: typeof SchemaEngine;
}

const DATASOURCE = 'datasource db {\n  provider = "postgresql"\n}\n';
const ONE_BYTE_OID = 18;
const TEXT_OID = 25;
const ONE_BYTE_MARK = 'one-byte:';
let loaded: Promise<Bindings> | undefined;

/** Loads the engine once a process: its bindings hold one instance in a variable of their module. */
function loadEngine(): Promise<Bindings> {
  loaded ??= instantiate();
  return loaded;
}

async function instantiate(): Promise<Bindings> {
  const bindings = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as unknown as Bindings;
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg'));
  const code = await readFile(join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(code, { './schema_engine_bg.js': withIdleTimers(bindings) });
  bindings.__wbg_set_wasm(instance.exports);
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: { set_message: (text: string) => console.error(`schema engine: ${text}`) },
  });
  instance.exports.__wbindgen_start();
  return bindings;
}

/** The engine never clears the 10 s limit of its advisory lock: such a timer must not keep a finished program alive. */
function withIdleTimers(bindings: object): Imports {
  const imports: Imports = { ...bindings };
  for (const [name, start] of Object.entries(imports)) {
    if (!name.startsWith('__wbg_setTimeout_') || typeof start !== 'function') continue;
    imports[name] = (...call: unknown[]) => (start(...call) as NodeJS.Timeout).unref();
  }
  return imports;
}

/**
 * Runs `work` with an engine on the database and frees it afterwards.
 * @param datamodels the Prisma schema as [file, text]; needed only by work that compares schemas
 */
export async function withSchemaEngine<T>(
  url: string,
  work: (engine: SchemaEngine) => Promise<T>,
  datamodels: [string, string][] = [['schema.prisma', DATASOURCE]],
): Promise<T> {
  const { SchemaEngine: Engine } = await loadEngine();
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'holdfast-migrate' });
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(new EnginePg(pool));
    const engine = await Engine.new({ datamodels }, () => undefined, adapter);
    return await work(engine).finally(() => engine.free());
  } finally {
    await pool.end();
  }
}

/**
 * The pg adapter with two gaps closed. It cuts a script at every semicolon, also inside comments and function
 * bodies; here a migration is sent whole, so it is applied whole or not at all. And it refuses the catalogue's
 * one-byte type "char", which every comparison reads; such a column travels as text under a marked name.
 */
class EnginePg extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    const pool = adapter.underlyingDriver();
    const query = pool.query.bind(pool) as (what: pg.QueryConfig) => Promise<pg.QueryResult>;
    const queryRaw = adapter.queryRaw.bind(adapter);
    Object.assign(pool, { query: async (what: pg.QueryConfig) => markOneByteColumns(await query(what)) });
    adapter.queryRaw = async (what) => readMarkedColumns(await queryRaw(what));
    adapter.executeScript = (script) => runScript(pool, script);
    return adapter;
  }
}

function markOneByteColumns(result: pg.QueryResult): pg.QueryResult {
  // A script of several statements answers with several results, whose fields nobody reads.
  for (const field of result.fields ?? [])
    if (field.dataTypeID === ONE_BYTE_OID)
      Object.assign(field, { dataTypeID: TEXT_OID, name: ONE_BYTE_MARK + field.name });
  return result;
}

function readMarkedColumns(result: SqlResultSet): SqlResultSet {
  const marked = result.columnNames.map((name) => name.startsWith(ONE_BYTE_MARK));
  return {
    ...result,
    columnNames: result.columnNames.map((name, i) => (marked[i] ? name.slice(ONE_BYTE_MARK.length) : name)),
    columnTypes: result.columnTypes.map((type, i) => (marked[i] ? ColumnTypeEnum.Character : type)),
  };
}

async function runScript(pool: pg.Pool, script: string): Promise<void> {
  try {
    await pool.query(script);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    const { code = '', severity = '', message, detail, column, hint } = error;
    throw new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
  }
}
