import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimFolder, notePid, releaseFolder, writeJson } from './claim-folder.ts';
import { isAlive, markProcess, type ProcessMark } from './mark.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-claim-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function startSleeper(): ProcessMark {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const mark = markProcess(child.pid ?? 0);
  if (mark === undefined) throw new Error('the child is not there');
  return mark;
}

test('What a killed run has left running is ended by the next one', async () => {
  const sleeper = startSleeper();
  notePid(dir, 'redis', sleeper);
  expect(await claimFolder(dir)).toEqual([`redis (${sleeper.pid})`]);
  expect(isAlive(sleeper)).toBe(false);
  expect(await claimFolder(dir)).toEqual([]);
});

test('A process that only inherited a recorded pid is left alone', async () => {
  const sleeper = startSleeper();
  notePid(dir, 'redis', { pid: sleeper.pid, born: 'earlier' });
  expect(await claimFolder(dir)).toEqual([]);
  expect(isAlive(sleeper)).toBe(true);
  process.kill(sleeper.pid, 'SIGKILL');
});

test('A folder in use by a living run is refused, and free again after that run', async () => {
  const owner = startSleeper();
  writeJson(join(dir, 'owner.json'), owner);
  await expect(claimFolder(dir)).rejects.toThrow(`another run (process ${owner.pid})`);
  releaseFolder(dir);
  expect(await claimFolder(dir)).toEqual([]);
  process.kill(owner.pid, 'SIGKILL');
});

test('A half-written record does not stop the next start', async () => {
  await claimFolder(dir);
  writeFileSync(join(dir, 'owner.json'), '{"pid": 1');
  writeFileSync(join(dir, 'pids', 'kafka.json'), '');
  expect(await claimFolder(dir)).toEqual([]);
});
