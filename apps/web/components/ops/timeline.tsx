import { join } from '../ui/join.ts';
import { LANES, type Lane, type Step } from './timeline-steps.ts';

const CLOCK = new Intl.DateTimeFormat('en-IE', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
});
const DOTS: Record<Lane, string> = {
  buyer: 'bg-buoy',
  gate: 'bg-held',
  outbox: 'bg-drift-up',
  Kafka: 'bg-expired',
  ledger: 'bg-kelp',
  'gate effect': 'border-2 border-held bg-sheet',
};

/** A vertical rail; each lane is a column of its own, and says its name too. */
export function Timeline({ steps }: { steps: readonly Step[] }) {
  const first = steps[0]?.at.getTime() ?? 0;
  return (
    <ol className="py-2">
      {steps.map((step) => (
        <li
          key={`${step.lane}${step.title}${step.at.getTime()}`}
          className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 px-3 py-1.5 hover:bg-foam sm:grid-cols-[8.5rem_7.5rem_minmax(0,1fr)]"
        >
          <span className="figures text-xs text-soft">
            <time dateTime={step.at.toISOString()}>{CLOCK.format(step.at)}</time>
            <span className="block">+{sayMs(step.at.getTime() - first)}</span>
          </span>
          <span className="hidden grid-cols-6 sm:grid" aria-hidden="true">
            {LANES.map((lane) => (
              <span key={lane} className="relative grid place-items-center">
                <span className="absolute -inset-y-1.5 w-px bg-line" />
                {lane === step.lane && <span className={join('relative size-2.5 rounded-full', DOTS[lane])} />}
              </span>
            ))}
          </span>
          <span className="min-w-0">
            <span className="text-sm font-medium">{step.title}</span>
            <span className="figures block text-xs text-soft">
              {step.lane} · {step.cause}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function sayMs(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
