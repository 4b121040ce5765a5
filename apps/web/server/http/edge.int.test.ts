/** The HTTP edge on real stores: whatever is sent, the answer is a typed refusal and nothing is held or stored. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMetrics, loadConfig, silentLog } from '@holdfast/core/platform';
import { openTestShop, type TestShop, until } from '@holdfast/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStores } from '../open-stores.ts';
import { createRequestHandler } from './handle-request.ts';

let shop: TestShop;
let server: Server;
let base: string;
let closeStores: () => Promise<void>;

beforeAll(async () => {
  shop = await openTestShop('http_edge');
  await shop.stock('SKU-1', 10);
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { process: about, stores, secrets } = shop.config;
  const config = loadConfig({
    ...stringsOf(stores),
    ...stringsOf(secrets),
    HOLDFAST_PROFILE: about.HOLDFAST_PROFILE,
    PUBLIC_URL: base,
  });
  const { deps, close } = await openStores({ config, log: silentLog, metrics: createMetrics('web'), dev: false });
  closeStores = close;
  server.on(
    'request',
    createRequestHandler(deps, async (_req, res) => void res.end('a page')),
  );
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await closeStores();
  await shop.close();
});

function stringsOf(section: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(section)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );
}

function post(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  const init = { method: 'POST', body, duplex: 'half', headers: { 'content-type': 'application/json', ...headers } };
  return fetch(`${base}${path}`, init);
}
const place = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  post('/api/trpc/order.place', body, headers);

const LINE = { shopId: 'S1', skuId: 'SKU-1', quantity: 1, unitPriceMinor: 1999 };
const order = (...lines: object[]) => JSON.stringify({ json: { key: 'key-12345678', lines } });

async function nothingHappened(): Promise<void> {
  const { rows } = await shop.pool.query<{ n: number }>(
    'SELECT (SELECT count(*) FROM tinystore_order.trade) + (SELECT count(*) FROM tinystore_order.outbox_event) AS n',
  );
  expect(rows[0]?.n).toBe(0);
  expect(await shop.gate.read([{ shopId: 'S1', skuId: 'SKU-1' }])).toMatchObject([
    { kind: 'read', deducted: 0, holdCount: 0 },
  ]);
}

describe('bad input', () => {
  const bodies: [string, string | Uint8Array<ArrayBuffer>][] = [
    ['malformed JSON', '{bad'],
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '5'],
    ['an array', '[1]'],
    ['an object without content', '{"a":1}'],
    ['a forged type note', '{"json":null,"meta":{"values":[["bigint"],{"x":"__proto__"}]}}'],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00])],
    ['no line', order()],
    ['a negative quantity', order({ ...LINE, quantity: -1 })],
    ['a zero quantity', order({ ...LINE, quantity: 0 })],
    ['a fraction', order({ ...LINE, quantity: 1.5 })],
    ['1e9 units', order({ ...LINE, quantity: 1e9 })],
    ['a quantity in words', order({ ...LINE, quantity: '2' })],
    ['an unknown SKU', order({ ...LINE, skuId: 'NOT-THERE' })],
    ['an unknown shop', order({ ...LINE, shopId: 'NOT-THERE' })],
    ['an id with a separator', order({ ...LINE, skuId: 'SKU-1:x' })],
    ['another price', order({ ...LINE, unitPriceMinor: 1 })],
    ['51 lines', order(...Array.from({ length: 51 }, (_, n) => ({ ...LINE, skuId: `SKU-${n}` })))],
    ['10 000 lines', order(...Array.from({ length: 10_000 }, () => LINE))],
  ];
  it.each(bodies)('%s is answered by a typed 4xx, holds nothing and stores nothing', async (_what, body) => {
    const answer = await place(body);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await answer.text()).toMatch(/"code":"(INVALID_INPUT|UNKNOWN_SKU|PRICE_CHANGED|NOT_FOUND)"/);
    await nothingHappened();
  });

  it('a body over 64 KB is refused with 413, also when its length is not announced', async () => {
    const large = 'a'.repeat(70_000);
    expect((await place(large)).status).toBe(413);
    expect((await post('/api/trpc/order.place', new Blob([large]).stream())).status).toBe(413);
  });

  it('a wrong content type or method is a typed 4xx', async () => {
    expect((await place('hello', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await fetch(`${base}/api/trpc/order.place?input=%7B%7D`)).status).toBe(405);
    expect((await fetch(`${base}/api/trpc/%ff`)).status).toBe(400);
    expect((await fetch(`${base}/api/trpc/order.nothing`)).status).toBe(404);
  });

  it("somebody else's order does not exist for a buyer", async () => {
    const placed = await shop.order([{ skuId: 'SKU-1', quantity: 1 }]);
    if (placed.kind !== 'placed') throw new Error(placed.message);
    const input = encodeURIComponent(JSON.stringify({ json: { tradeId: placed.tradeId } }));
    expect((await fetch(`${base}/api/trpc/order.read?input=${input}`)).status).toBe(404);
    const cancel = JSON.stringify({ json: { tradeId: placed.tradeId } });
    expect((await post('/api/trpc/order.cancel', cancel)).status).toBe(404);
  });
});

describe('who may change something', () => {
  it.each([{ origin: 'https://elsewhere.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
    'a change from %o is refused',
    async (headers) => {
      expect((await place(order(LINE), headers)).status).toBe(403);
    },
  );

  it('a payment notice without a right signature is refused and not stored', async () => {
    const answer = await post('/api/webhooks/payment', '{}', { 'payment-signature': 't=1,v1=00' });
    expect(answer.status).toBe(400);
    const { rows } = await shop.pool.query<{ n: number }>('SELECT count(*) AS n FROM tinystore_order.payment_event');
    expect(rows[0]?.n).toBe(0);
  });

  it('the console answers nobody who has not signed in', async () => {
    expect((await fetch(`${base}/api/trpc/ops.counters?input=%7B%22json%22%3A%7B%7D%7D`)).status).toBe(401);
  });
});

describe('the doors beside tRPC', () => {
  it('a sign-in without an announced length is refused before it is read, and one over 64 KB too', async () => {
    const large = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(70_000) });
    const unannounced = await post('/api/auth/sign-in/email', new Blob([large]).stream());
    expect([unannounced.status, await unannounced.text()]).toEqual([411, expect.stringContaining('INVALID_INPUT')]);
    expect((await post('/api/auth/sign-in/email', large)).status).toBe(413);
    expect((await post('/api/auth/sign-in/email', '{"email":"a@example.com","password":"wrong"}')).status).toBe(401);
  });

  it.each([
    'reset-password',
    'request-password-reset',
    'reset-password/%00',
    'sign-up/email',
    '../auth/reset-password',
  ])('what the console does not use of the sign-in library is not there: %s', async (path) => {
    const answer = await post(`/api/auth/${path}`, JSON.stringify({ token: 'a\u0000', newPassword: 'long-enough-1' }));
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('NOT_FOUND')]);
    expect((await fetch(`${base}/api/auth/${path}?callbackURL=/`)).status).toBe(404);
  });

  it('a payment id that is no uuid is a payment that does not exist', async () => {
    expect((await post(`/demo-provider/${'-'.repeat(36)}/pay`, '{}')).status).toBe(404);
  });
});

describe('a database in trouble', () => {
  const put = () => post('/api/trpc/cart.put', JSON.stringify({ json: { shopId: 'S1', skuId: 'SKU-1', quantity: 1 } }));
  const look = () =>
    fetch(`${base}/api/trpc/catalogue.product?input=${encodeURIComponent('{"json":{"productId":"P"}}')}`);
  const codeOf = async (answer: Response) => /"code":"([A-Z_]+)"/.exec(await answer.text())?.[1];

  /** Sends a request that waits for a lock; `end` ends its session once it waits. */
  async function behindALock(send: () => Promise<Response>, then: 'wait' | 'end'): Promise<string | undefined> {
    const holder = await shop.pool.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE tinystore_order.sku, tinystore_order.product IN ACCESS EXCLUSIVE MODE');
      const answer = send();
      if (then === 'end')
        await until('the request waits', async () => {
          const { rowCount } = await shop.pool.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
             AND application_name = 'holdfast-web-read' AND wait_event_type = 'Lock'`,
          );
          return rowCount === 1;
        });
      return await codeOf(await answer);
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
  }

  it('P33 a lock that is not had in time is BUSY', async () => {
    expect([await behindALock(look, 'wait'), await behindALock(put, 'wait')]).toEqual(['BUSY', 'BUSY']);
  });

  it('P15 a session that dies is BUSY under a question and OUTCOME_UNKNOWN under a change', async () => {
    expect([await behindALock(look, 'end'), await behindALock(put, 'end')]).toEqual(['BUSY', 'OUTCOME_UNKNOWN']);
  });
});

describe('the thin listener of order.place', () => {
  const KNOWN = /"(requestId|tradeId|payUntil)":"[^"]*"/g;
  const send = async (address: string, body: string) => {
    const answer = await post(address, body);
    const text = (await answer.text()).replaceAll(KNOWN, '"$1":"…"');
    return {
      status: answer.status,
      type: answer.headers.get('content-type')?.split(';')[0],
      cookie: answer.headers.has('set-cookie'),
      text,
    };
  };
  const of = (json: object) => JSON.stringify({ json: { key: `key-${crypto.randomUUID()}`, lines: [LINE], ...json } });
  const requests: [string, () => string][] = [
    ['an order', () => of({})],
    ['more than there is', () => of({ lines: [{ ...LINE, quantity: 9999 }] })],
    ['an unknown SKU', () => of({ lines: [{ ...LINE, skuId: 'none' }] })],
    ['another price', () => of({ lines: [{ ...LINE, unitPriceMinor: 5 }] })],
    ['half a unit', () => of({ lines: [{ ...LINE, quantity: 0.5 }] })],
    ['no key', () => of({ key: undefined })],
    ['malformed JSON', () => '{bad'],
    ['an empty body', () => ''],
    ['null', () => 'null'],
    ['a forged type note', () => '{"json":null,"meta":{"values":[["bigint"],{"x":"__proto__"}]}}'],
  ];
  for (const [what, body] of requests)
    it(`answers ${what} exactly as the adapter of tRPC does`, async () => {
      expect(await send('/api/trpc/order.place', body())).toEqual(await send('/api/trpc/order.place?', body()));
    });
});
