import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export type CommandResult = { code: number; output: string };
type CommandOptions = {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  input?: string;
  timeoutMs: number;
  signal?: AbortSignal;
};

/** Runs a command to its end and answers its exit code and everything it printed. Never throws for a bad exit. */
export function runCommand(command: string, args: string[], options: CommandOptions): Promise<CommandResult> {
  const { input, timeoutMs, ...rest } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...rest, stdio: ['pipe', 'pipe', 'pipe'], timeout: timeoutMs });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stdin.on('error', () => {}); // a command that does not read its input is no failure
    child.stdin.end(input ?? '');
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code, signal) => {
      const note = signal === null ? '' : `\n(ended by ${signal}, limit ${timeoutMs} ms)`;
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') + note });
    });
  });
}

/** As runCommand, but a bad exit throws with the last lines of the output. */
export async function mustRun(command: string, args: string[], options: CommandOptions): Promise<string> {
  const result = await runCommand(command, args, options);
  if (result.code === 0) return result.output;
  throw new Error(`${command} ${args[0] ?? ''} failed (exit ${result.code}):\n${lastLines(result.output, 20)}`);
}

export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}

/** The full path of the first of the names that is on PATH. */
export function findOnPath(...names: string[]): string | undefined {
  for (const name of names) {
    for (const dir of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(dir, name);
      if (dir !== '' && isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
