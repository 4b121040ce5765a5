/**
 * A TCP link between a process and a server that can stop exactly at one statement, command or message: it holds the
 * bytes that a step is made of, and everything behind them on that connection, until a fault has struck.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type Connection, openConnection, type Place } from './connection.ts';

/** What stands still: bytes on their way, not delivered yet. */
export interface Held {
  /** All that waits so far. */
  bytes(): Buffer;
  /** Delivers them; the connection goes on. */
  forward(): void;
  /** Not delivered: the connection is reset. */
  cutBefore(): void;
  /** Delivered: the connection is reset as soon as something comes back, or at once when they are an answer. */
  cutAfter(): void;
}

export interface Link {
  readonly port: number;
  /** The address of the server, with this link in its place. */
  before(url: string): string;
  /** Resolves when the next bytes come that stand at this place. One wait at a time. */
  hold(place: Place): Promise<Held>;
  forget(): void;
  /** Whatever is sent vanishes; connections stay open. Ends with a reset of all of them. */
  darken(): void;
  lighten(): void;
  /** Requests arrive, answers wait: every connection is taken. */
  keepAnswers(keep: 'keep' | 'pass'): void;
  cut(): void;
  close(): void;
}

export interface LinkState {
  waiting: { readonly place: Place; readonly met: (held: Held) => void } | undefined;
  dark: boolean;
  keeping: boolean;
  /** Changes what a server says about its own address. */
  readonly translate: (bytes: Buffer) => Buffer;
}

export async function openLink(target: () => number, translate = (bytes: Buffer, _port: number) => bytes) {
  const connections = new Set<Connection>();
  let port = 0;
  const state: LinkState = {
    waiting: undefined,
    dark: false,
    keeping: false,
    translate: (bytes) => translate(bytes, port),
  };
  const server = createServer((client) => {
    const connection = openConnection(state, client, connect(target(), '127.0.0.1'));
    connections.add(connection);
    client.once('close', () => connections.delete(connection));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  const cut = () => {
    for (const connection of connections) connection.cut();
  };
  const link: Link = {
    port,
    before: (url) => withPort(url, port),
    hold: (place) =>
      new Promise((met) => {
        state.waiting = { place, met };
      }),
    forget() {
      state.waiting = undefined;
    },
    darken() {
      state.dark = true;
    },
    lighten() {
      state.dark = false;
      cut();
    },
    keepAnswers(keep) {
      state.keeping = keep === 'keep';
      for (const connection of connections) connection.keepAnswers(keep);
    },
    cut,
    close() {
      cut();
      server.close();
    },
  };
  return link;
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.hostname = '127.0.0.1';
  changed.port = String(port);
  return changed.href;
}
