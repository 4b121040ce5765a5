/**
 * Pages ask the procedures of the same process before they are sent, so the first paint shows goods, not grey
 * boxes. A slow or failing answer is left to the browser: a page never waits longer than its limit.
 */
import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { headers } from 'next/headers';
import type { Operator } from '../../server/auth/create-auth.ts';
import type { Bridge } from '../../server/bridge.ts';
import { BRIDGE_KEY } from '../../server/bridge-key.ts';
import type { AppRouter } from '../../server/trpc/router.ts';

const LIMIT_MS = 1500;

function bridge(): Bridge {
  const offered = Reflect.get(globalThis, BRIDGE_KEY) as Bridge | undefined;
  if (!offered) throw new Error('pages are rendered by server.ts only: it offers the procedures');
  return offered;
}

/** Who is signed in at the console, for pages that must not be shown to anybody else. */
export async function readSignedIn(): Promise<Operator | undefined> {
  return bridge()
    .contextFor(new Headers(await headers()))
    .operator();
}

type Ask = (trpc: TRPCOptionsProxy<AppRouter>, queries: QueryClient) => Promise<unknown>;

/** Runs `ask` within the limit and returns what was answered by then. */
export async function prefetch(ask: Ask): Promise<DehydratedState> {
  const { router, contextFor } = bridge();
  const context = contextFor(new Headers(await headers()));
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const trpc = createTRPCOptionsProxy<AppRouter>({ router, ctx: context, queryClient: queries });
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS);
  });
  await Promise.race([ask(trpc, queries).catch(() => undefined), limit]);
  clearTimeout(timer);
  return dehydrate(queries);
}
