import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignIn } from '../../../components/ops/sign-in.tsx';
import { Mark } from '../../../components/shop/mark.tsx';
import { readSignedIn } from '../../../components/trpc/server.ts';

export const metadata: Metadata = { title: 'Sign in' };

export default async function Page() {
  if (await readSignedIn()) redirect('/ops');
  return (
    <main className="grid min-h-dvh place-items-center bg-foam px-4">
      <div className="w-full max-w-sm space-y-6 rounded-panel border border-line bg-sheet p-7">
        <p className="flex items-center gap-2 text-kelp">
          <Mark className="size-6" />
          <span className="text-sm font-semibold text-ink">Holdfast console</span>
        </p>
        <h1 className="text-lg font-semibold">Sign in</h1>
        <SignIn />
      </div>
    </main>
  );
}
