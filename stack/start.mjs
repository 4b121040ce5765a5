// Runs stack/demo.ts, test.ts, bench.ts, faults.ts, histories.ts, plants.ts or job.ts. Plain Node 20 without dependencies, so that it works right after a clone: it
// installs what is missing, then goes on under the Node 24 that the project brings along, which runs TypeScript.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const node = join(modules, '.bin', 'node');
const [program, ...args] = process.argv.slice(2);

if (!['demo', 'test', 'bench', 'faults', 'histories', 'plants', 'job'].includes(program ?? '')) {
  console.error('usage: node stack/start.mjs <demo|test|bench|faults|histories|plants|job> [arguments]');
  process.exit(2);
}
if (!isInstalled()) install();
run();

/**
 * npm notes in node_modules/.package-lock.json what it has installed. Compared by content: the files' times say little after
 * a checkout or an install that wrote the lock file last.
 */
function isInstalled() {
  const installed = readPackages(join(modules, '.package-lock.json'));
  const wanted = readPackages(join(root, 'package-lock.json'));
  if (installed === undefined || wanted === undefined) return false;
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes('node_modules/')) continue; // this repository's own folders
    const mayBeMissing = entry.optional === true || entry.devOptional === true || entry.peer === true;
    if (installed[path] === undefined ? !mayBeMissing : installed[path].version !== entry.version) return false;
  }
  return nodeRuns();
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined; // not there, or an install was interrupted
  }
}

function install() {
  console.log('installing packages (npm ci)');
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.status !== 0) {
    console.error(`npm ci failed: ${result.error?.message ?? `exit ${result.status}`}`);
    process.exit(1);
  }
  if (nodeRuns()) return;
  // An npm that does not run this package's install script leaves its command without the program behind it.
  spawnSync('npm', ['rebuild', 'node', '--ignore-scripts=false'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (nodeRuns()) return;
  console.error('the npm package "node" could not be installed: node_modules/.bin/node does not run');
  process.exit(1);
}

function nodeRuns() {
  if (!existsSync(node)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.node;
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim() === `v${wanted}`;
}

function run() {
  const child = spawn(node, [join(root, 'stack', `${program}.ts`), ...args], {
    cwd: root,
    // The channel carries nothing: its end tells the program that this process is gone, even after SIGKILL.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: join(modules, '.bin') + delimiter + (process.env.PATH ?? '') },
  });
  // The program stops in its own order; this process waits for it. Ctrl-C reaches both, a second signal changes nothing.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // An npm that is killed cannot pass that on; whoever started this script by hand may leave it running on purpose.
  const parent = process.ppid;
  const byNpm = process.env.npm_lifecycle_event !== undefined;
  if (byNpm) setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1_000).unref();
  child.on('exit', (code) => process.exit(code ?? 1));
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
}
