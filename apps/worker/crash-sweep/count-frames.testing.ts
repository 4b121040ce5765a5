/** A proxy that counts what a process really asks a server: statements of PostgreSQL, commands of Redis. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Reader } from './read-frames.testing.ts';

export interface FrameCount {
  readonly url: string;
  readonly seen: () => number;
  close(): void;
}

export async function countFrames(target: string, reader: () => Reader): Promise<FrameCount> {
  const url = new URL(target);
  const { port, hostname } = url;
  const sockets = new Set<Socket>();
  let seen = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const read = reader();
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('data', (chunk: Buffer) => {
      seen += read(chunk);
      upstream.write(chunk);
    });
    upstream.pipe(client);
    client.on('close', () => upstream.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    seen: () => seen,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
