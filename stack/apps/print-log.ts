import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const COLOURS = [36, 35, 33, 32, 34];
const NAME_WIDTH = 6;

/** A function that prints a line under a name, coloured where the output is a terminal that wants it. */
export function createPrinter(name: string, index: number): (line: string) => void {
  const coloured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const label = name.padEnd(NAME_WIDTH);
  const prefix = coloured ? `\u001b[${COLOURS[index % COLOURS.length]}m${label}\u001b[0m |` : `${label} |`;
  return (line) => console.log(`${prefix} ${readable(line)}`);
}

const LEVELS: Record<string, string> = { 30: '', 40: 'warn  ', 50: 'ERROR ', 60: 'FATAL ' };
const NOT_SHOWN = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg']);

/** A structured log line as a sentence with its fields; any other line as it is. */
export function readable(line: string): string {
  if (!line.startsWith('{"level":')) return line;
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    const fields = Object.entries(entry).filter(([key]) => !NOT_SHOWN.has(key));
    const text = fields.map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
    return `${LEVELS[String(entry.level)] ?? ''}${[entry.msg, ...text].join('  ')}`;
  } catch {
    return line; // cut off in the middle
  }
}

export function printLines(stream: Readable, print: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', print);
}
