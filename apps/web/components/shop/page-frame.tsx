import type { ReactNode } from 'react';

export function PageFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-6xl px-4 pt-8 sm:px-6 sm:pt-12">
      <h1 className="display mb-8 text-xl sm:text-2xl">{title}</h1>
      {children}
    </div>
  );
}
