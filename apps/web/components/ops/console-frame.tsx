'use client';
import {
  Activity,
  Boxes,
  CircleAlert,
  LogOut,
  type LucideIcon,
  MailWarning,
  Scale,
  ScanSearch,
  Store,
  Tags,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { Mark } from '../shop/mark.tsx';
import { join } from '../ui/join.ts';
import { ThemeSwitch } from '../ui/theme-switch.tsx';

/** `also`: pages that are reached from this one and have no place of their own here. */
const PAGES: readonly { href: string; name: string; icon: LucideIcon; also?: string }[] = [
  { href: '/ops', name: 'Overview', icon: Activity },
  { href: '/ops/counters', name: 'Counters', icon: Scale },
  { href: '/ops/stock', name: 'Stock', icon: Boxes },
  { href: '/ops/reservations', name: 'Reservations', icon: Tags, also: '/ops/orders' },
  { href: '/ops/incidents', name: 'Incidents', icon: CircleAlert },
  { href: '/ops/dead-letters', name: 'Dead letters', icon: MailWarning },
  { href: '/ops/reconcile', name: 'Reconcile', icon: ScanSearch },
];

/** On a narrow screen the pages stand in a row that scrolls; the present one is never out of sight. */
function bringIntoView(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

async function signOut(): Promise<void> {
  await fetch('/api/auth/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  window.location.assign('/ops/sign-in');
}

export function ConsoleFrame({ name, role, children }: { name: string; role: string; children: ReactNode }) {
  const path = usePathname();
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="z-20 border-b border-line bg-foam lg:sticky lg:top-0 lg:flex lg:h-dvh lg:flex-col lg:border-b-0 lg:border-r">
        <div className="flex h-12 items-center gap-2 px-4 lg:h-14">
          <Mark className="size-6 text-kelp" />
          <span className="text-sm font-semibold">Holdfast</span>
          <div className="ml-auto flex items-center lg:hidden">
            <Tools name={name} role={role} />
          </div>
        </div>
        <nav aria-label="Console" className="flex gap-1 overflow-x-auto px-2 pb-2 lg:flex-col lg:overflow-visible">
          {PAGES.map(({ href, name: title, icon: Icon, also }) => {
            const here = href === '/ops' ? path === href : path.startsWith(href) || (also && path.startsWith(also));
            return (
              <Link
                key={href}
                ref={here ? bringIntoView : undefined}
                href={href}
                aria-current={here ? 'page' : undefined}
                className={join(
                  'flex h-8 shrink-0 items-center gap-2 rounded-panel px-2.5 text-sm text-soft hover:text-ink',
                  here && 'bg-sheet font-medium text-ink shadow-[inset_0_-2px] shadow-kelp lg:shadow-[inset_2px_0]',
                )}
              >
                <Icon size={15} aria-hidden="true" />
                {title}
              </Link>
            );
          })}
        </nav>
        <div className="mt-auto hidden flex-wrap items-center gap-1 border-t border-line p-2 lg:flex">
          <Tools name={name} role={role} />
        </div>
      </div>
      <main className="min-w-0 px-4 py-5 sm:px-6">{children}</main>
    </div>
  );
}

function Tools({ name, role }: { name: string; role: string }) {
  const look = 'grid size-8 shrink-0 place-items-center rounded-panel text-soft hover:bg-sheet hover:text-ink';
  return (
    <>
      <span className="mr-auto hidden min-w-0 px-2 leading-tight sm:block lg:w-full lg:pb-1">
        <span className="block truncate text-xs font-medium">{name}</span>
        <span className="block text-xs text-soft">{role}</span>
      </span>
      <ThemeSwitch className="size-8 rounded-panel" />
      <Link href="/" aria-label="To the shop" className={look}>
        <Store size={16} aria-hidden="true" />
      </Link>
      <button type="button" onClick={() => void signOut()} aria-label="Sign out" className={look}>
        <LogOut size={16} aria-hidden="true" />
      </button>
    </>
  );
}
