import { expect, it } from 'vitest';
import { readable } from './print-log.ts';

it('a structured line is shown as a sentence with its fields, any other as it is', () => {
  const line = JSON.stringify({
    level: 40,
    time: 1,
    pid: 2,
    hostname: 'h',
    name: 'web',
    epoch: 3,
    why: 'x',
    msg: 'gate closed',
  });
  expect(readable(line)).toBe('warn  gate closed  epoch=3  why=x');
  expect(readable('plain text')).toBe('plain text');
  expect(readable('{"level":30,"msg":"cut')).toBe('{"level":30,"msg":"cut');
});
