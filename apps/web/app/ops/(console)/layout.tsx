import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { ConsoleFrame } from '../../../components/ops/console-frame.tsx';
import { readSignedIn } from '../../../components/trpc/server.ts';

export const metadata: Metadata = { title: { default: 'Console', template: '%s · Holdfast console' } };

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const operator = await readSignedIn();
  if (!operator) redirect('/ops/sign-in');
  return (
    <ConsoleFrame name={operator.name} role={operator.role}>
      {children}
    </ConsoleFrame>
  );
}
