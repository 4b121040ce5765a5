/** Keeps a file for review. Nothing is booked yet; the same file is kept once (C07). */
import { createHash } from 'node:crypto';
import { type Failure, mint } from '../../domain/index.ts';
import { appendAudit } from '../../ops/index.ts';
import { inTransaction, type Pool, type Sql } from '../../platform/index.ts';
import { type ImportRow, parseImport } from './parse-import.ts';

export interface ImportFile {
  readonly fileName: string;
  readonly text: string;
  readonly actor: string;
  readonly reason: string;
}
export type Uploaded =
  | { readonly kind: 'uploaded'; readonly importId: string; readonly rows: number }
  | { readonly kind: 'repeated'; readonly importId: string }
  | Failure;

export async function uploadImport(pool: Pool, file: ImportFile): Promise<Uploaded> {
  const parsed = parseImport(file.text);
  if (parsed.kind === 'refused') return parsed;
  return inTransaction(pool, (tx) => keep(tx, file, parsed.rows));
}

async function keep(
  tx: Sql,
  { fileName, text, actor, reason }: ImportFile,
  rows: readonly ImportRow[],
): Promise<Uploaded> {
  const importId = mint<'ImportId'>();
  const fingerprint = createHash('sha256').update(text).digest('hex');
  const { rowCount } = await tx.query(
    `INSERT INTO tinystore_inventory.stock_import (id, file_name, fingerprint, actor, reason) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (fingerprint) WHERE status NOT IN ('DISCARDED', 'UNDONE') DO NOTHING`,
    [importId, fileName, fingerprint, actor, reason],
  );
  const audit = { actor, reason, before: null };
  if (rowCount !== 1) {
    const known = await findByFingerprint(tx, fingerprint);
    await appendAudit(tx, { ...audit, action: 'stock.import_repeated', target: known, after: { fileName } });
    return { kind: 'repeated', importId: known };
  }
  await tx.query(
    `INSERT INTO tinystore_inventory.stock_import_row (import_id, line, ref, shop_id, sku_id, change, operation_id, undo_operation_id)
     SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::uuid[], $8::uuid[])`,
    [
      importId,
      rows.map((row) => row.line),
      rows.map((row) => row.ref),
      rows.map((row) => row.shopId),
      rows.map((row) => row.skuId),
      rows.map((row) => row.change),
      rows.map(() => mint<'OperationId'>()),
      rows.map(() => mint<'OperationId'>()),
    ],
  );
  const after = { fileName, rows: rows.length };
  await appendAudit(tx, { ...audit, action: 'stock.import_uploaded', target: importId, after });
  return { kind: 'uploaded', importId, rows: rows.length };
}

async function findByFingerprint(tx: Sql, fingerprint: string): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM tinystore_inventory.stock_import WHERE fingerprint = $1 AND status NOT IN ('DISCARDED', 'UNDONE')`,
    [fingerprint],
  );
  if (!rows[0]) throw new Error('an import that stood in the way is gone');
  return rows[0].id;
}
