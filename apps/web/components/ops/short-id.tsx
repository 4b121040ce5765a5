'use client';
import { Check, Copy } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';

/** An id in mono with its middle cut, a link where it has a page, and a button that copies it whole. */
export function ShortId({ id, href }: { id: string; href?: string }) {
  const [copied, setCopied] = useState(false);
  const shown = id.length > 16 ? `${id.slice(0, 4)}…${id.slice(-8)}` : id;
  const copy = () => {
    void navigator.clipboard?.writeText(id).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1200);
    });
  };
  return (
    <span className="group/id inline-flex items-center gap-1 font-mono text-xs">
      {href ? (
        <Link
          href={href}
          title={id}
          className="text-kelp underline decoration-kelp/40 underline-offset-4 hover:decoration-kelp"
        >
          {shown}
        </Link>
      ) : (
        <span title={id}>{shown}</span>
      )}
      <button
        type="button"
        onClick={copy}
        aria-label={`Copy ${id}`}
        className="text-soft opacity-0 transition-opacity hover:text-ink focus-visible:opacity-100 group-hover/id:opacity-100"
      >
        {copied ? <Check size={12} /> : <Copy size={12} />}
      </button>
    </span>
  );
}
