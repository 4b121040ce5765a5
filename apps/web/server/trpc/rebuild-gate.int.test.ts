/** The operator's rebuild of the gate through the procedures; the gatekeeper's part is proven beside it. */
import { randomUUID } from 'node:crypto';
import { createMetrics, loadConfig, silentLog } from '@holdfast/core/platform';
import { openTestShop, type TestShop } from '@holdfast/core/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operator, Role } from '../auth/create-auth.ts';
import { openStores, type WebDeps } from '../open-stores.ts';
import { createContext } from './context.ts';
import { appRouter } from './router.ts';

let shop: TestShop;
let deps: WebDeps;
let closeStores: () => Promise<void>;
beforeAll(async () => {
  shop = await openTestShop('rebuild_procedure');
  const { stores, secrets, process: about } = shop.config;
  const given = { ...stores, ...secrets, HOLDFAST_PROFILE: about.HOLDFAST_PROFILE };
  const env = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const config = loadConfig(Object.fromEntries(env) as Record<string, string>);
  const opened = await openStores({ config, log: silentLog, metrics: createMetrics('web'), dev: false });
  deps = opened.deps;
  closeStores = opened.close;
});
afterAll(async () => {
  await closeStores();
  await shop.close();
});

function as(role: Role) {
  const request = { cookie: undefined, headers: () => new Headers(), ids: { requestId: 'r', traceId: 't' } };
  const context = createContext(deps, { ...request, setCookie: () => undefined });
  const operator: Operator = { id: 'o', name: 'Otto', email: 'otto@shop.example', role };
  return appRouter.createCaller({ ...context, operator: async () => operator }).ops;
}

test('Only operators rebuild the gate, with a reason; everybody at the console sees why and by whom it was rebuilt', async () => {
  await shop.stock('hot', 5);
  const ask = { requestId: randomUUID(), reason: 'after the restore' };
  await expect(as('viewer').rebuildGate(ask)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(as('operator').rebuildGate({ ...ask, reason: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await as('viewer').gate()).toMatchObject({ epoch: 1, rebuildAsked: false });
  expect(await as('operator').rebuildGate(ask)).toEqual({ kind: 'asked' });
  expect(await as('operator').rebuildGate(ask)).toEqual({ kind: 'already' });
  expect(await as('viewer').gate()).toMatchObject({ epoch: 1, rebuildAsked: true });
  await shop.gatekeeper.runOnce();
  const told = { rebuiltBecause: 'after the restore', rebuiltBy: 'otto@shop.example', rebuildAsked: false };
  expect(await as('viewer').gate()).toMatchObject({ epoch: 2, open: true, closedReason: null, ...told });
});
