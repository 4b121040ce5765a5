'use client';
/**
 * Milliseconds until the server's deadline, by the server's clock (C64). The device's clock is never asked: an
 * answer says what time it was, and from there the monotonic clock of the page counts on.
 */
import { useEffect, useState } from 'react';

const TICK_MS = 250;

export function useTimeLeft(payUntil: Date, serverNow: Date): number {
  const atAnswer = payUntil.getTime() - serverNow.getTime();
  const [left, setLeft] = useState(atAnswer);
  useEffect(() => {
    const answeredAt = performance.now();
    const show = () => setLeft(Math.max(0, atAnswer - (performance.now() - answeredAt)));
    show();
    const timer = setInterval(show, TICK_MS);
    return () => clearInterval(timer);
  }, [atAnswer]);
  return Math.max(0, left);
}
