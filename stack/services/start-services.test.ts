import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isOpenToOthers } from './find-postgres.ts';
import { withoutPassword } from './start-services.ts';

test('The printed address of a given service hides its password', () => {
  expect(withoutPassword('postgresql://me:secret@db:5432/shop')).toBe('postgresql://me:***@db:5432/shop');
  expect(withoutPassword('127.0.0.1:9092,127.0.0.1:9093')).toBe('127.0.0.1:9092,127.0.0.1:9093');
});

test('A folder below a private one is closed to the database user', () => {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-open-'));
  mkdirSync(join(dir, 'inner'));
  expect(isOpenToOthers(join(dir, 'inner', 'not-there-yet'))).toBe(false);
  chmodSync(dir, 0o755);
  expect(isOpenToOthers(join(dir, 'inner'))).toBe(true);
  rmSync(dir, { recursive: true });
});
