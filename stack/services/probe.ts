import { connect } from 'node:net';
import type { ServerName } from './services-file.ts';

const ANSWER_MS = 1_000;

/** What each server is asked, and whether an answer means that it is ready for work. Spoken by hand to need no client. */
const QUESTIONS: Record<ServerName, { ask: Buffer; isReady: (answer: Buffer) => boolean }> = {
  postgres: { ask: postgresStartup(), isReady: (answer) => answer[0] === 'R'.charCodeAt(0) },
  redis: { ask: Buffer.from('PING\r\n'), isReady: (answer) => answer.toString().startsWith('+PONG') },
  // ApiVersions v0 with correlation id 1 and no client id.
  kafka: { ask: Buffer.from('0000000a0012000000000001ffff', 'hex'), isReady: (answer) => answer.length >= 8 },
};

/** True when the server on this loopback port answers as one that takes work. */
export function answers(name: ServerName, port: number): Promise<boolean> {
  const question = QUESTIONS[name];
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (ready: boolean) => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(ANSWER_MS, () => finish(false));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
    socket.once('connect', () => socket.write(question.ask));
    socket.once('data', (answer) => finish(question.isReady(answer)));
  });
}

/** A start-up message: while the server recovers it answers with an error, afterwards it asks for the password. */
function postgresStartup(): Buffer {
  const body = Buffer.from('\0\x03\0\0user\0holdfast\0database\0postgres\0\0', 'latin1');
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([length, body]);
}
