/** How many requests a chunk of bytes completes, on the wires of PostgreSQL and Redis. */

/** Takes what a process sends on one connection, in order. */
export type Reader = (chunk: Buffer) => number;

const QUERY = 0x51;
const EXECUTE = 0x45;
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** The start-up message has no type; a statement is one Query or one Execute. */
export function statements(): Reader {
  let rest = Buffer.alloc(0);
  let started = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let found = 0;
    for (;;) {
      const head = started ? TYPE_BYTES : 0;
      if (rest.length < head + LENGTH_BYTES) return found;
      const size = head + rest.readInt32BE(head);
      if (rest.length < size) return found;
      if (started && (rest[0] === QUERY || rest[0] === EXECUTE)) found++;
      started = true;
      rest = rest.subarray(size);
    }
  };
}

/** Arrays of bulk strings; naming a connection is the client's own business. */
export function commands(): Reader {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let found = 0;
    for (let command = takeCommand(rest); command; command = takeCommand(rest)) {
      rest = rest.subarray(command.size);
      if (command.name !== 'client') found++;
    }
    return found;
  };
}

function takeCommand(bytes: Buffer): { readonly name: string; readonly size: number } | undefined {
  let at = 0;
  const line = () => {
    const end = bytes.indexOf('\r\n', at);
    if (end === -1) return undefined;
    const text = bytes.toString('latin1', at + 1, end);
    at = end + 2;
    return Number(text);
  };
  const parts = line();
  let name = '';
  for (let part = 0; part < (parts ?? 0); part++) {
    const length = line();
    if (length === undefined || bytes.length < at + length + 2) return undefined;
    if (part === 0) name = bytes.toString('latin1', at, at + length).toLowerCase();
    at += length + 2;
  }
  return parts === undefined ? undefined : { name, size: at };
}
