/**
 * One keep-alive connection that sends prepared requests and waits for each answer. Written on a bare socket, so
 * that the load generator takes as little as possible of the two cores it shares with what it measures.
 */

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Lane {
  post(path: string, cookie: string, body: string): Promise<Answer>;
  close(): void;
}

const HEADER_END = Buffer.from('\r\n\r\n');

export async function openLane(baseUrl: string): Promise<Lane> {
  const { hostname, port, host } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await once(socket, 'connect');
  const next = readAnswers(socket);
  return {
    async post(path, cookie, body) {
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nCookie: ${cookie}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      return next();
    },
    close: () => void socket.destroy(),
  };
}

/** Answers come in the order of the requests; each has a content length or is chunked. */
function readAnswers(socket: Socket): () => Promise<Answer> {
  let buffer = Buffer.alloc(0);
  let waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  socket.on('data', (chunk) => {
    buffer = buffer.length === 0 ? Buffer.from(chunk) : Buffer.concat([buffer, chunk]);
    const answer = parseAnswer(buffer);
    if (!answer) return;
    buffer = buffer.subarray(answer.end);
    waiting?.resolve({ status: answer.status, body: answer.body });
    waiting = undefined;
  });
  const fail = () => waiting?.reject(new Error('the server closed the connection'));
  socket.on('error', fail);
  socket.on('close', fail);
  return () =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
    });
}

function parseAnswer(buffer: Buffer): { status: number; body: string; end: number } | undefined {
  const headerEnd = buffer.indexOf(HEADER_END);
  if (headerEnd < 0) return undefined;
  const head = buffer.toString('latin1', 0, headerEnd);
  const status = Number(head.slice(9, 12));
  const start = headerEnd + HEADER_END.length;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) {
    const end = start + Number(length);
    return buffer.length < end ? undefined : { status, body: buffer.toString('utf8', start, end), end };
  }
  return parseChunks(buffer, start, status);
}

function parseChunks(
  buffer: Buffer,
  start: number,
  status: number,
): { status: number; body: string; end: number } | undefined {
  let body = '';
  for (let at = start; ; ) {
    const lineEnd = buffer.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(buffer.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (buffer.length < next) return undefined;
    if (size === 0) return { status, body, end: next };
    body += buffer.toString('utf8', lineEnd + 2, lineEnd + 2 + size);
    at = next;
  }
}
