import { createHash, type Hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const SKIPPED = new Set(['node_modules', '.next', '.turbo', 'generated', 'test-results']);

/** One hash over the names and contents of files and folders, below `root`. Made or installed things do not count. */
export function hashFiles(root: string, paths: string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) addPath(hash, root, join(root, path));
  return hash.digest('hex');
}

function addPath(hash: Hash, root: string, path: string): void {
  if (!existsSync(path)) return;
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort()) {
      const isNoSource = SKIPPED.has(name) || /\.test\.tsx?$|\.tsbuildinfo$|^next-env\.d\.ts$/.test(name);
      if (!isNoSource) addPath(hash, root, join(path, name));
    }
    return;
  }
  const content = readFileSync(path);
  hash.update(`${relative(root, path)}\0${content.length}\0`).update(content);
}
