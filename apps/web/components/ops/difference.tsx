/**
 * The difference between the books, in the middle of the row: units in flight solid, unexplained hatched red,
 * left of the axis when the gate holds less than the ledger says, right when more.
 */
import { type ReactNode, useId } from 'react';
import { join } from '../ui/join.ts';

const FULL_UNITS = 20;

export function Difference({ inFlight, unexplained }: { inFlight: number | null; unexplained: number | null }) {
  if (inFlight === null || unexplained === null) {
    return (
      <span className="hatched flex h-4 items-center justify-center text-soft">
        <span className="bg-sheet px-1.5 text-xs text-soft">not known</span>
      </span>
    );
  }
  const label =
    inFlight === 0 && unexplained === 0
      ? '0'
      : [inFlight !== 0 && `${signed(inFlight)} in flight`, unexplained !== 0 && `${signed(unexplained)} unexplained`]
          .filter(Boolean)
          .join(', ');
  return (
    <span className="grid grid-cols-[1fr_auto_1fr] items-center gap-1.5" role="img" aria-label={`Difference: ${label}`}>
      <Side>
        {inFlight < 0 || unexplained < 0 ? (
          <Bars className="-scale-x-100" inFlight={Math.min(0, inFlight)} unexplained={Math.min(0, unexplained)} />
        ) : null}
      </Side>
      <span
        className={join(
          'figures min-w-4 text-center text-xs',
          unexplained !== 0 ? 'font-semibold text-drift-down' : inFlight !== 0 ? 'text-drift-up' : 'text-soft',
        )}
      >
        {label}
      </span>
      <Side>
        {inFlight > 0 || unexplained > 0 ? (
          <Bars inFlight={Math.max(0, inFlight)} unexplained={Math.max(0, unexplained)} />
        ) : null}
      </Side>
    </span>
  );
}

/** One half of the axis: a hairline, and on it whatever lies to this side. */
function Side({ children }: { children: ReactNode }) {
  return (
    <span className="relative h-3 before:absolute before:inset-x-0 before:top-1/2 before:h-px before:bg-line">
      {children}
    </span>
  );
}

function Bars({
  inFlight,
  unexplained,
  className = '',
}: {
  inFlight: number;
  unexplained: number;
  className?: string;
}) {
  const hatch = useId();
  return (
    <svg
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
      className={join('absolute inset-0 h-full w-full', className)}
    >
      <rect width={width(inFlight)} height="10" className="fill-drift-up" />
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="2.500" height="5" className="fill-drift-down" />
      </pattern>
      <rect x={width(inFlight)} width={width(unexplained)} height="10" fill={`url(#${hatch})`} />
    </svg>
  );
}

function width(units: number): number {
  return Math.min(100, (Math.abs(units) / FULL_UNITS) * 100);
}

export function signed(units: number): string {
  return units > 0 ? `+${units}` : `−${Math.abs(units)}`;
}
