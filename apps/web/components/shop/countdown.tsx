'use client';
import { useTimeLeft } from './use-time-left.ts';

const TWO_MINUTES_MS = 120_000;
const RADIUS = 44;
const ROUND = 2 * Math.PI * RADIUS;

/** Whole minutes, and seconds only in the last two. */
export function sayTimeLeft(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1000);
  if (leftMs > TWO_MINUTES_MS) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A thin ring that closes as the time to pay runs out. */
export function Countdown({ payUntil, serverNow, createdAt }: { payUntil: Date; serverNow: Date; createdAt: Date }) {
  const left = useTimeLeft(payUntil, serverNow);
  const share = Math.min(1, left / Math.max(1, payUntil.getTime() - createdAt.getTime()));
  return (
    <div
      role="timer"
      aria-label={`Time left to pay: ${sayTimeLeft(left)}`}
      className="relative grid size-28 shrink-0 place-items-center"
    >
      <svg viewBox="0 0 100 100" aria-hidden="true" className="absolute inset-0 -rotate-90">
        <circle cx="50" cy="50" r={RADIUS} fill="none" strokeWidth="3" className="stroke-line" />
        <circle
          cx="50"
          cy="50"
          r={RADIUS}
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray={ROUND.toFixed(2)}
          strokeDashoffset={(ROUND * (1 - share)).toFixed(2)}
          className="stroke-held"
        />
      </svg>
      <span className="text-center leading-tight">
        <span className="figures block text-lg font-semibold" data-testid="time-left">
          {sayTimeLeft(left)}
        </span>
        <span className="block text-xs text-soft">to pay</span>
      </span>
    </div>
  );
}
