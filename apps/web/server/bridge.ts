/**
 * How a page rendered by Next reaches the process's own procedures without HTTP: the custom server puts its
 * router and dependencies on one well-known place before Next starts. Pages import types from here, and nothing
 * of core, so no driver is bundled a second time.
 */

import { BRIDGE_KEY } from './bridge-key.ts';
import type { WebDeps } from './open-stores.ts';
import { type Context, createContext } from './trpc/context.ts';
import { type AppRouter, appRouter } from './trpc/router.ts';

export interface Bridge {
  readonly router: AppRouter;
  contextFor(headers: Headers): Context;
}

export function offerBridge(deps: WebDeps): void {
  const bridge: Bridge = {
    router: appRouter,
    contextFor: (headers) =>
      createContext(deps, {
        cookie: headers.get('cookie') ?? undefined,
        headers: () => headers,
        ids: { requestId: 'page', traceId: 'page' },
        setCookie: () => undefined,
      }),
  };
  Reflect.set(globalThis, BRIDGE_KEY, bridge);
}
