import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const module = new URL('./log.ts', import.meta.url).href;

test('A log line tells what an error was, and cuts out secrets', async () => {
  const program = `import { createLog } from '${module}';
    const error = new Error('outer', { cause: new Error('inner') });
    createLog('test', 'info').info({ error, secret: 'hush', short: 'text' }, 'failed');
    createLog('test', 'info').info({ error: 'a short line' }, 'failed');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const [full, short] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(full).toMatchObject({ error: { type: 'Error', message: 'outer: inner' }, secret: '[cut]', short: 'text' });
  expect(short).toMatchObject({ error: 'a short line' });
});
