'use client';
/**
 * The browser's way to the procedures. Queries share a request and answer one by one as they are ready (a slow
 * one holds up nobody); everything that changes something travels alone. All go by POST, so no address grows long.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCClient, httpBatchStreamLink, httpLink, splitLink } from '@trpc/client';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import { type ReactNode, useState } from 'react';
import superjson from 'superjson';
import type { AppRouter } from '../../server/trpc/router.ts';
import { queryDefaults } from './query-defaults.ts';

export const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

const link = { url: '/api/trpc', transformer: superjson, methodOverride: 'POST' } as const;

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(() => new QueryClient(queryDefaults));
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        splitLink({
          condition: (op) => op.type === 'mutation',
          true: httpLink({ url: link.url, transformer: superjson }),
          false: httpBatchStreamLink({ ...link, maxItems: 20 }),
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
