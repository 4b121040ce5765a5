/** What the fault matrix stands on: bytes that stand still are nowhere else. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../until.ts';
import { type Link, openLink } from './link.ts';

let server: Server;
let link: Link;
let client: Socket;
let arrived: string;
let answered: string;
beforeEach(async () => {
  [arrived, answered] = ['', ''];
  server = createServer((socket) =>
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        arrived += String(bytes);
        socket.write(`<${String(bytes)}>`);
      }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  link = await openLink(() => (server.address() as AddressInfo).port);
  client = connect(link.port, '127.0.0.1');
  client
    .on('error', () => undefined)
    .on('data', (bytes) => {
      answered += String(bytes);
    });
});
afterEach(() => {
  client.destroy();
  link.close();
  server.close();
});

const say = async (text: string) => {
  client.write(text);
  await until(`${text} comes back`, () => answered.includes(`<${text}>`));
};
/** A reset may be an error to the client first. */
const closed = () => new Promise<void>((resolve) => client.once('close', () => resolve()));
const is = (text: string) => (bytes: Buffer) => bytes.includes(text);

test('A request that stands still has not arrived; what follows waits behind it and keeps its order', async () => {
  await say('one');
  const standing = link.hold({ at: 'request', is: is('two') });
  client.write('two');
  const held = await standing;
  client.write('three');
  await until('the third waits behind', () => String(held.bytes()) === 'twothree');
  expect(arrived).toBe('one');
  held.forward();
  await until('both have arrived', () => arrived === 'onetwothree');
});

test('A reset before delivery: the server never sees it. After delivery: it does, and the answer is lost', async () => {
  await say('one');
  const standing = link.hold({ at: 'request', is: is('two') });
  client.write('two');
  (await standing).cutAfter();
  await closed();
  expect([arrived, answered]).toEqual(['onetwo', '<one>']);

  client = connect(link.port, '127.0.0.1').on('error', () => undefined);
  const next = link.hold({ at: 'request', is: is('three') });
  client.write('three');
  (await next).cutBefore();
  await closed();
  expect(arrived).toBe('onetwo');
});

test('An answer that stands still has been worked for and reaches nobody', async () => {
  const standing = link.hold({ at: 'answer-to', is: is('one') });
  client.write('one');
  const held = await standing;
  expect([arrived, answered]).toEqual(['one', '']);
  held.forward();
  await until('it comes', () => answered === '<one>');
});

test('Darkness swallows both ways and ends with a reset', async () => {
  await say('one');
  link.darken();
  client.write('two');
  const gone = closed();
  link.lighten();
  await gone;
  expect(arrived).toBe('one');
});
