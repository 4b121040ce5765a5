'use client';
import { useEffect, useState } from 'react';

/** Time since, in one unit; the exact time is the title. Counts on by itself. */
const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;
const TICK_MS = 1000;
const EXACT = new Intl.DateTimeFormat('en-IE', { dateStyle: 'medium', timeStyle: 'medium' });

export function sayAge(seconds: number): string {
  const [size, unit] = UNITS.find(([length]) => seconds >= length) ?? [1, 's'];
  return `${Math.floor(Math.max(0, seconds) / size)} ${unit}`;
}

export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function Ago({ at, suffix = ' ago' }: { at: Date; suffix?: string }) {
  const now = useNow();
  return (
    <time dateTime={at.toISOString()} title={EXACT.format(at)} className="figures whitespace-nowrap">
      {sayAge((now - at.getTime()) / 1000)}
      {suffix}
    </time>
  );
}

const CLOCK = new Intl.DateTimeFormat('en-IE', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});

/** When the figures beside it were read (C62). */
export function ReadAt({ at, stale }: { at: Date | undefined; stale: boolean }) {
  if (!at) return <span className="text-xs text-soft">not read yet</span>;
  return (
    <span className={`figures text-xs ${stale ? 'text-held' : 'text-soft'}`}>
      {stale ? 'last read ' : 'read '}
      <time dateTime={at.toISOString()}>{CLOCK.format(at)}</time>
    </span>
  );
}
