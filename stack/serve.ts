import { spawn } from 'node:child_process';
import { startThrowAway } from './throw-away.ts';

// Services of your own while you work on a test: `node stack/serve.ts` keeps them until Ctrl-C and prints the variables;
// `node stack/serve.ts <command...>` runs one command with the variables set and stops them again.

const stack = await startThrowAway('serve', (line) => console.error(line));
const variables = { ...stack.urls, HOLDFAST_STACK_DIR: stack.dir };
for (const [name, value] of Object.entries(variables)) console.log(`export ${name}='${value}'`);

const [command, ...args] = process.argv.slice(2);
// A waiting promise and signal handlers alone do not keep a process running.
const running = setInterval(() => undefined, 60_000);
const asked = new Promise<number>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(130));
});
const code = await (command === undefined ? asked : Promise.race([asked, runWithVariables(command)]));
clearInterval(running);
await stack.stop();
process.exit(code);

function runWithVariables(program: string): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message);
      resolve(127);
    });
    child.once('exit', (status) => resolve(status ?? 1));
  });
}
