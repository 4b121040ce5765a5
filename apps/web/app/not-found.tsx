import Link from 'next/link';
import { Mark } from '../components/shop/mark.tsx';

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center px-6 text-center">
      <div className="space-y-5">
        <Mark className="mx-auto size-16 text-kelp" />
        <h1 className="display text-2xl">Nothing holds here</h1>
        <p className="text-soft">This address leads nowhere. The tide may have taken it.</p>
        <Link href="/" className="text-kelp underline underline-offset-4">
          To the shelves
        </Link>
      </div>
    </main>
  );
}
