/** The faults of a `FaultProxy`, and what each does to the bytes of one connection. */
import type { Socket } from 'node:net';

interface Aimed {
  /** Only requests that hold this text, as bytes on the wire; without it the next bytes of any client. */
  readonly match?: string;
  /** How often; without it until another fault is set. */
  readonly times?: number;
}

export type Fault =
  | { readonly kind: 'none' }
  /** The request never arrives; the connection is cut. */
  | ({ readonly kind: 'cut-before-delivery' } & Aimed)
  /** The request is carried out; the connection is cut when its reply comes. */
  | ({ readonly kind: 'cut-after-delivery' } & Aimed)
  /** The request is carried out; its reply and all later ones of the connection are swallowed, which stays open. */
  | ({ readonly kind: 'drop-reply' } & Aimed)
  | { readonly kind: 'delay'; readonly ms: number }
  /** Both ways, this many bytes a write. */
  | { readonly kind: 'slice'; readonly bytes: number }
  /** Connections are accepted and nothing passes. */
  | { readonly kind: 'black-hole' };

export interface Side {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Cut at the next reply. */
  doomed: boolean;
  /** Replies are swallowed. */
  mute: boolean;
}

interface State {
  fault: Fault;
  struck: number;
}

export function handleData(state: State, side: Side, from: Socket, chunk: Buffer): void {
  const { fault } = state;
  const to = from === side.client ? side.upstream : side.client;
  switch (fault.kind) {
    case 'delay':
      setTimeout(() => send(to, chunk), fault.ms);
      return;
    case 'slice':
      for (let at = 0; at < chunk.length; at += fault.bytes) send(to, chunk.subarray(at, at + fault.bytes));
      return;
    case 'black-hole':
      return;
    case 'none':
      break;
    default:
      if (from === side.client && strikes(state, fault, chunk)) {
        strike(side, fault.kind, chunk);
        return;
      }
  }
  if (from === side.client) send(to, chunk);
  else if (side.doomed) end(side);
  else if (!side.mute) send(to, chunk);
}

function strikes(state: State, { match, times }: Aimed, chunk: Buffer): boolean {
  if (times !== undefined && state.struck >= times) return false;
  if (match !== undefined && !chunk.includes(match)) return false;
  state.struck++;
  return true;
}

function strike(side: Side, kind: 'cut-before-delivery' | 'cut-after-delivery' | 'drop-reply', chunk: Buffer): void {
  if (kind === 'cut-before-delivery') {
    end(side);
    return;
  }
  if (kind === 'cut-after-delivery') side.doomed = true;
  else side.mute = true;
  send(side.upstream, chunk);
}

function send(to: Socket, chunk: Buffer): void {
  if (!to.destroyed) to.write(chunk);
}

function end({ client, upstream }: Side): void {
  client.destroy();
  upstream.destroy();
}
