'use client';
import { useQuery } from '@tanstack/react-query';
import { ReceiptText, ShoppingBasket } from 'lucide-react';
import Link from 'next/link';
import { useTRPC } from '../trpc/client.tsx';
import { ThemeSwitch } from '../ui/theme-switch.tsx';
import { Mark } from './mark.tsx';

const ICON_LINK = 'relative grid h-10 w-10 place-items-center rounded-full text-soft hover:bg-foam hover:text-ink';

export function Header() {
  const trpc = useTRPC();
  const { data: cart } = useQuery(trpc.cart.read.queryOptions());
  const units = cart?.units ?? 0;
  return (
    <header className="sticky top-0 z-20 border-b border-line/70 bg-paper/90 backdrop-blur">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-1 px-4 sm:px-6">
        <Link href="/" className="-ml-1 mr-auto flex items-center gap-2 rounded-shop px-1 text-kelp">
          <Mark className="size-8" />
          <span className="display text-lg font-semibold text-ink">Holdfast</span>
        </Link>
        <ThemeSwitch />
        <Link href="/orders" aria-label="My orders" className={ICON_LINK}>
          <ReceiptText size={18} aria-hidden="true" />
        </Link>
        <Link
          href="/cart"
          aria-label={units === 0 ? 'Cart, empty' : `Cart, ${units} ${units === 1 ? 'item' : 'items'}`}
          className={ICON_LINK}
        >
          <ShoppingBasket size={19} aria-hidden="true" />
          {units > 0 && (
            <span
              key={units}
              className="rise figures absolute -right-0.5 top-0.5 grid h-4.5 min-w-4.5 place-items-center rounded-full bg-kelp px-1 text-[11px] font-semibold leading-none text-on-kelp"
            >
              {units}
            </span>
          )}
        </Link>
      </div>
    </header>
  );
}
