/** Answers older than two seconds are asked again when a page shows them; refusals are not worth a repeat. */
import type { QueryClientConfig } from '@tanstack/react-query';
import { failureOf } from './failure-of.ts';

export const queryDefaults: QueryClientConfig = {
  defaultOptions: {
    queries: {
      staleTime: 2000,
      refetchOnWindowFocus: 'always',
      retry: (count, error) => count < 2 && failureOf(error).retryable,
      retryDelay: (attempt) => 400 * 2 ** attempt,
    },
    mutations: { retry: false },
  },
};
