/** A payment over HTTP as a browser makes it: order, more time, the demo provider's page, its notice to the webhook. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMetrics, loadConfig, silentLog } from '@holdfast/core/platform';
import { openTestShop, TEST_SECRETS, type TestShop } from '@holdfast/core/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStores } from '../open-stores.ts';
import { createRequestHandler } from './handle-request.ts';

let shop: TestShop;
let server: Server;
let base: string;
let closeStores: () => Promise<void>;
let cookie = '';

beforeAll(async () => {
  shop = await openTestShop('http_pay');
  await shop.stock('SKU-1', 10);
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { DATABASE_URL, REDIS_URL, KAFKA_BROKERS } = shop.config.stores;
  const stores = { DATABASE_URL, REDIS_URL, KAFKA_BROKERS };
  const config = loadConfig({ ...stores, ...TEST_SECRETS, HOLDFAST_PROFILE: 'test', PUBLIC_URL: base });
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
  // The ledger's consumers do not run here: the paid order is confirmed by the events that closing delivers.
  await shop.close();
});

async function post(path: string, json: unknown): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${base}${path}`, {
    method: 'POST',
    body: JSON.stringify({ json }),
    headers: { 'content-type': 'application/json', cookie },
  });
  const set = answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
  if (set.length > 0) cookie = set.join('; ');
  return { status: answer.status, text: await answer.text() };
}
const call = (procedure: string, json: unknown) => post(`/api/trpc/${procedure}`, json);
const read = async (tradeId: string) => {
  const input = encodeURIComponent(JSON.stringify({ json: { tradeId } }));
  const answer = await fetch(`${base}/api/trpc/order.read?input=${input}`, { headers: { cookie } });
  return answer.text();
};
const field = (text: string, name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1] ?? '';

it('P40 – a buyer gets more time once, pays at the demo provider, and its notice pays the order', async () => {
  const line = { shopId: 'S1', skuId: 'SKU-1', quantity: 1, unitPriceMinor: 1999 };
  const placed = await call('order.place', { key: 'key-12345678', lines: [line] });
  expect(placed.status).toBe(200);
  const tradeId = field(placed.text, 'tradeId');
  const before = Date.parse(field(placed.text, 'payUntil'));
  const extended = await call('order.extend', { tradeId });
  expect(Date.parse(field(extended.text, 'payUntil')) - before).toBe(300_000);
  const again = await call('order.extend', { tradeId });
  expect([again.status, field(again.text, 'code')]).toEqual([409, 'EXTENSION_USED']);

  const started = await call('order.startPayment', { tradeId });
  const intentId = field(started.text, 'intentId');
  expect(field(started.text, 'payUrl')).toBe(`${base}/pay/${intentId}`);
  const declined = await post(`/demo-provider/${intentId}/decline`, {});
  expect(declined).toMatchObject({ status: 200, text: expect.stringContaining('"delivered":true') });
  expect(await read(tradeId)).toContain('"status":"FAILED"');
  await call('order.startPayment', { tradeId });
  expect((await post(`/demo-provider/${intentId}/pay`, {})).status).toBe(200);
  expect(await read(tradeId)).toContain('"status":"PAID_PENDING"');
  expect((await call('order.extend', { tradeId })).text).toContain('ALREADY_PAID');
  expect((await post(`/demo-provider/${intentId}/pay-nothing`, {})).status).toBe(404);
});
