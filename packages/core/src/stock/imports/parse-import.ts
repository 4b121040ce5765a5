/**
 * A file of stock changes: a header line, then `ref,shop,sku,change` (or with semicolons). Ids are taken as they are
 * written, never trimmed or folded (C52), and one refusal names the line, the column and the limit (C50). Pure.
 */
import { CODE_PATTERN, type Failure, MAX_STOCK, refuse } from '../../domain/index.ts';

export const MAX_IMPORT_ROWS = 1000;
const COLUMNS = ['ref', 'shop', 'sku', 'change'] as const;
const CHANGE = /^[+-]?\d{1,15}$/;
const BYTE_ORDER_MARK = '\uFEFF';

export interface ImportRow {
  /** Line of the file, the header being line 1. */
  readonly line: number;
  /** The row's own reference, counted once over all files. */
  readonly ref: string;
  readonly shopId: string;
  readonly skuId: string;
  /** Units; what leaves is negative. */
  readonly change: number;
}

export function parseImport(text: string): { readonly kind: 'parsed'; readonly rows: readonly ImportRow[] } | Failure {
  const lines = text.replace(BYTE_ORDER_MARK, '').split(/\r?\n/);
  while (lines.at(-1) === '') lines.pop();
  const [header = '', ...body] = lines;
  const separator = header.includes(';') ? ';' : ',';
  if (cells(header, separator).join() !== COLUMNS.join())
    return refuseAt(1, 'header', `the first line must be ${COLUMNS.join(separator)}`);
  if (body.length === 0 || body.length > MAX_IMPORT_ROWS)
    return refuseAt(1, 'rows', `a file has 1 to ${MAX_IMPORT_ROWS} rows, this one ${body.length}`);
  const rows: ImportRow[] = [];
  const refs = new Map<string, number>();
  for (const [index, content] of body.entries()) {
    const row = parseRow(index + 2, cells(content, separator));
    if ('kind' in row) return row;
    const twin = refs.get(row.ref);
    if (twin !== undefined) return refuseAt(row.line, 'ref', `${row.ref} stands in line ${twin} already`);
    refs.set(row.ref, row.line);
    rows.push(row);
  }
  return { kind: 'parsed', rows };
}

/** No id may hold a quote or a separator, so quotes around a whole cell are all that a spreadsheet can add. */
function cells(line: string, separator: string): string[] {
  return line.split(separator).map((cell) => /^"(.*)"$/.exec(cell)?.[1] ?? cell);
}

function parseRow(line: number, row: readonly string[]): ImportRow | Failure {
  const [ref = '', shopId = '', skuId = '', change = ''] = row;
  if (row.length !== COLUMNS.length) return refuseAt(line, 'columns', `${COLUMNS.length} columns, not ${row.length}`);
  for (const [column, id] of [
    ['ref', ref],
    ['shop', shopId],
    ['sku', skuId],
  ] as const)
    if (!CODE_PATTERN.test(id)) return refuseAt(line, column, '1 to 64 of A-Z a-z 0-9 . _ -');
  const units = CHANGE.test(change) ? Number(change) : 0;
  if (units === 0 || Math.abs(units) > MAX_STOCK)
    return refuseAt(line, 'change', `a whole number of units from -${MAX_STOCK} to ${MAX_STOCK}, and not 0`);
  return { line, ref, shopId, skuId, change: units };
}

function refuseAt(line: number, column: string, message: string): Failure {
  return refuse('INVALID_INPUT', `line ${line}, ${column}: ${message}`, { field: `line ${line}, ${column}` });
}
