import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endProcess } from './end-process.ts';
import { commandLine, isAlive, markProcess, parseStat } from './mark.ts';

test('A program name with brackets and spaces does not shift the birth time', () => {
  const fields = Array.from({ length: 30 }, (_, index) => String(index + 4));
  expect(parseStat(`42 (odd) name (x)) S ${fields.join(' ')}`)).toEqual({ state: 'S', born: '22' });
});

test('A later process with the same pid is not mistaken for the recorded one', () => {
  const self = markProcess(process.pid);
  expect(self !== undefined && isAlive(self)).toBe(true);
  expect(isAlive({ pid: process.pid, born: 'earlier' })).toBe(false);
});

test('A process that ignores the request to end is killed after the limit', async () => {
  const script = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); console.log('up')";
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout, 'data');
  const mark = markProcess(child.pid ?? 0);
  if (mark === undefined) throw new Error('the child is not there');
  expect(commandLine(mark.pid)).toContain('setInterval');
  await endProcess(mark, 'SIGTERM', 200);
  expect(isAlive(mark)).toBe(false);
  expect(commandLine(mark.pid)).toBe('');
});
