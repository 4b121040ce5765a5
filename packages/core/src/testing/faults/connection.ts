/** One connection through a link: two lanes of bytes, each of which can be held; what follows waits behind. */
import type { Socket } from 'node:net';
import type { Held, LinkState } from './link.ts';

export type Recognise = (bytes: Buffer) => boolean;

/**
 * Where to stand: before a request is delivered, before the answer to it comes back, before an answer of this
 * content comes back, or while the server works on the request (nothing is held then).
 */
export interface Place {
  readonly at: 'request' | 'answer-to' | 'answer' | 'working';
  readonly is: Recognise;
  /** Only on a connection that has sent this since its last BEGIN. */
  readonly after?: Recognise;
}

export interface Connection {
  keepAnswers(keep: 'keep' | 'pass'): void;
  cut(): void;
}

interface Lane {
  readonly to: Socket;
  queue: Buffer[] | undefined;
}

export function openConnection(state: LinkState, client: Socket, server: Socket): Connection {
  const request: Lane = { to: server, queue: undefined };
  const answer: Lane = { to: client, queue: state.keeping ? [] : undefined };
  let doomed = false;
  /** The wait whose request has passed here: the next bytes of the other lane are its answer. */
  let asked: LinkState['waiting'];
  let prepared = false;
  const cut = () => {
    client.destroy();
    server.destroy();
  };
  const hold = (lane: Lane, bytes: Buffer): Held => {
    lane.queue = [bytes];
    return {
      bytes: () => Buffer.concat(lane.queue ?? []),
      forward: () => flush(lane),
      cutBefore: cut,
      cutAfter() {
        doomed = lane === request;
        flush(lane);
        if (lane === answer) setImmediate(cut);
      },
    };
  };
  const standsHere = (side: 'request' | 'answer', bytes: Buffer): boolean => {
    const place = state.waiting?.place;
    if (!place) return false;
    if (side === 'answer')
      return place.at === 'answer' ? place.is(bytes) : asked === state.waiting && place.at === 'answer-to';
    if (bytes.includes('BEGIN\0')) prepared = false;
    if (place.after?.(bytes)) prepared = true;
    if (place.at === 'answer' || !place.is(bytes) || (place.after && !prepared)) return false;
    asked = state.waiting;
    return place.at !== 'answer-to';
  };
  const pass = (lane: Lane, side: 'request' | 'answer', bytes: Buffer) => {
    if (state.dark) return;
    if (doomed && side === 'answer') return cut();
    if (lane.queue) return void lane.queue.push(bytes);
    const { waiting } = state;
    if (!waiting || !standsHere(side, bytes)) return void lane.to.write(bytes);
    state.waiting = undefined;
    const held = hold(lane, bytes);
    if (waiting.place.at === 'working') held.forward();
    waiting.met(held);
  };
  client.on('data', (bytes: Buffer) => pass(request, 'request', bytes));
  server.on('data', (bytes: Buffer) => pass(answer, 'answer', state.translate(bytes)));
  for (const socket of [client, server]) socket.setNoDelay(true).on('error', cut).on('close', cut);
  return {
    cut,
    keepAnswers(keep) {
      if (keep === 'pass') flush(answer);
      else answer.queue ??= [];
    },
  };
}

function flush(lane: Lane): void {
  const queue = lane.queue ?? [];
  lane.queue = undefined;
  for (const bytes of queue) if (!lane.to.destroyed) lane.to.write(bytes);
}
