import { createServer } from 'node:net';

const TRIES = 200;
// Below the range from which systems take the ports of outgoing connections (32768 up): a port there could be taken
// by any client in the moment in which a killed server is started again.
const THROW_AWAY_FROM = 20_000;
const THROW_AWAY_TO = 30_000;

/** The first free port from `wanted` upwards that is not in `taken`; adds it there. */
export async function choosePort(
  wanted: number,
  taken: Set<number>,
  isFree: (port: number) => Promise<boolean> = portIsFree,
): Promise<number> {
  for (let port = wanted; port < wanted + TRIES; port += 1) {
    if (taken.has(port) || !(await isFree(port))) continue;
    taken.add(port);
    return port;
  }
  throw new Error(`no free port between ${wanted} and ${wanted + TRIES - 1}`);
}

/** Somewhere in the throw-away range, so that two runs at once rarely start their search at the same port. */
export function throwAwayPort(): number {
  return THROW_AWAY_FROM + Math.floor(Math.random() * (THROW_AWAY_TO - THROW_AWAY_FROM));
}

export async function portIsFree(port: number): Promise<boolean> {
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0'));
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
