/**
 * A TCP proxy before Redis, PostgreSQL or Kafka that does to a connection what networks do: cut, delay, slice, swallow.
 * It forwards bytes and knows no protocol; a reply from the server counts as proof that the request was carried out.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Fault, handleData, type Side } from './fault.ts';

export interface FaultProxy {
  readonly port: number;
  /** The address of a server, with this proxy in its place. */
  before(url: string): string;
  /** New connections lead there from now on; old ones live on, as after a failover without a closed socket. */
  lead(port: number): void;
  /** From now on, for connections old and new; a fault with `times` ends by itself. */
  set(fault: Fault): void;
  /** Cuts every connection now. */
  cut(): void;
  /** How often the present fault has struck. */
  struck(): number;
  close(): void;
}

export async function openFaultProxy(target: number): Promise<FaultProxy> {
  let present = target;
  const state = { fault: { kind: 'none' } as Fault, struck: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(present, '127.0.0.1');
    const side: Side = { client, upstream, doomed: false, mute: false };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => handleData(state, side, from, chunk));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    before(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(port);
      return changed.href;
    },
    lead(next) {
      present = next;
    },
    set(fault) {
      state.fault = fault;
      state.struck = 0;
    },
    cut,
    struck: () => state.struck,
    close() {
      cut();
      server.close();
    },
  };
}
