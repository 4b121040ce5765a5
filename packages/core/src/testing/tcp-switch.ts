/**
 * A TCP forwarder whose target can be changed for new connections while old ones live on: what a failover looks like
 * from a client whose address moved but whose socket did not close.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpSwitch {
  readonly port: number;
  /** New connections lead there from now on. */
  lead(port: number): void;
  close(): void;
}

export async function openTcpSwitch(target: number): Promise<TcpSwitch> {
  let present = target;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(present, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    lead(port) {
      present = port;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
