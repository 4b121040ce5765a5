/** The console's procedures over a real shop, called as somebody or as nobody. */
import { createMetrics, loadConfig, silentLog } from '@holdfast/core/platform';
import { checkInvariants, openTestShop } from '@holdfast/core/testing';
import { expect } from 'vitest';
import type { Operator, Role } from '../auth/create-auth.ts';
import { openStores } from '../open-stores.ts';
import { createContext } from './context.ts';
import { appRouter } from './router.ts';

export async function openConsoleDesk(name: string) {
  const shop = await openTestShop(name);
  const { stores, secrets, process: about } = shop.config;
  const given = { ...stores, ...secrets, HOLDFAST_PROFILE: about.HOLDFAST_PROFILE };
  const env = Object.fromEntries(
    Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );
  const opened = await openStores({
    config: loadConfig(env),
    log: silentLog,
    metrics: createMetrics('web'),
    dev: false,
  });
  return {
    shop,
    /** `nobody`: not signed in. */
    as(role: Role | 'nobody') {
      const request = { cookie: undefined, headers: () => new Headers(), ids: { requestId: 'r', traceId: 't' } };
      const context = createContext(opened.deps, { ...request, setCookie: () => undefined });
      const operator: Operator | undefined =
        role === 'nobody' ? undefined : { id: 'o', name: 'Otto', email: 'otto@shop.example', role };
      return appRouter.createCaller({ ...context, operator: async () => operator }).ops;
    },
    async close() {
      expect(await checkInvariants({ pool: shop.pool, gate: shop.gate })).toEqual([]);
      await opened.close();
      await shop.close();
    },
  };
}
export type ConsoleDesk = Awaited<ReturnType<typeof openConsoleDesk>>;
