import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const COLOURS = [36, 35, 33, 32, 34];
const NAME_WIDTH = 6;

/** A function that prints a line under a name, coloured where the output is a terminal that wants it. */
export function createPrinter(name: string, index: number): (line: string) => void {
  const coloured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const label = name.padEnd(NAME_WIDTH);
  const prefix = coloured ? `\u001b[${COLOURS[index % COLOURS.length]}m${label}\u001b[0m |` : `${label} |`;
  return (line) => console.log(`${prefix} ${line}`);
}

export function printLines(stream: Readable, print: (line: string) => void): void {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', print);
}
