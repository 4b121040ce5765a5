'use client';
/** Whether the person at the console may change things; the server asks again. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../trpc/client.tsx';

/** Beside a button that is off for whoever may only look. */
export const NEEDS_OPERATOR = 'Needs the role operator.';

export function useOperator(): boolean {
  const { data: me } = useQuery(useTRPC().ops.signedIn.queryOptions());
  return me?.role === 'operator' || me?.role === 'admin';
}
