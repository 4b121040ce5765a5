/** What a failed call says, in the closed list's words; a call that never arrived has a word of its own. */
import type { FailureCode, LineLeft } from '@holdfast/core/domain';
import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from '../../server/trpc/router.ts';

export interface SeenFailure {
  readonly code: FailureCode | 'INTERNAL' | 'OFFLINE';
  readonly message: string;
  readonly retryable: boolean;
  readonly lines: readonly LineLeft[];
  readonly tradeId: string | undefined;
  readonly field: string | undefined;
}

const UNREACHABLE: SeenFailure = {
  code: 'OFFLINE',
  message: 'The shop did not answer. Please check your connection and try again.',
  retryable: true,
  lines: [],
  tradeId: undefined,
  field: undefined,
};

export function failureOf(error: unknown): SeenFailure {
  if (!isOurs(error) || !error.data?.code) return UNREACHABLE;
  const { code, retryable, lines = [], tradeId, field } = error.data;
  return { code, message: error.message, retryable, lines, tradeId, field };
}

function isOurs(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError;
}
