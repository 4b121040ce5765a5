import Link from 'next/link';
import { join } from '../ui/join.ts';

interface FilterTabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly name: string; readonly href: string; readonly here: boolean }[];
}

/** A list's filter as links, so that it lives in the address and Back finds it again. */
export function FilterTabs({ label, tabs }: FilterTabsProps) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1 border-b border-line px-2 py-1.5">
      {tabs.map(({ name, href, here }) => (
        <Link
          key={name}
          href={href}
          aria-current={here ? 'page' : undefined}
          className={join(
            'flex h-8 items-center rounded-panel px-2.5 text-sm text-soft hover:text-ink',
            here && 'bg-foam font-medium text-ink',
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
