import Link from 'next/link';

export function Footer() {
  return (
    <footer className="mt-24 border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-col gap-6 px-4 pb-28 pt-10 text-sm text-soft sm:flex-row sm:items-end sm:justify-between sm:px-6 lg:pb-10">
        <p className="max-w-md">
          A holdfast is the root by which seaweed keeps to its rock. What is in your order is held for you in the same
          way, until you have paid or let go.
        </p>
        <nav className="flex gap-6">
          <Link href="/orders" className="hover:text-ink">
            My orders
          </Link>
          <Link href="/ops" className="hover:text-ink">
            Console
          </Link>
        </nav>
      </div>
    </footer>
  );
}
