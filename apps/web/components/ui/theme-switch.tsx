'use client';
import { Moon, Sun } from 'lucide-react';
import { join } from './join.ts';
import { THEME_COOKIE, type Theme } from './theme.ts';

const ONE_YEAR_SECONDS = 31_536_000;

function presentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

function turn(): void {
  const next: Theme = presentTheme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in some browsers, and one write needs no library.
  document.cookie = `${THEME_COOKIE}=${next}; Path=/; Max-Age=${ONE_YEAR_SECONDS}; SameSite=Lax`;
}

export function ThemeSwitch({ className }: { className?: string }) {
  return (
    <button
      type="button"
      onClick={turn}
      aria-label="Light or dark"
      className={join(
        'grid h-10 w-10 place-items-center rounded-full text-soft hover:bg-foam hover:text-ink',
        className,
      )}
    >
      <Sun size={18} className="theme-sun" aria-hidden="true" />
      <Moon size={18} className="theme-moon" aria-hidden="true" />
    </button>
  );
}
