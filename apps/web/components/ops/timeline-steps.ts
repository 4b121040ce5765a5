/** A reservation's history as steps on lanes, from what the books say about it; sorted by time. */
import type { ReservationDetail } from './types.ts';

export const LANES = ['buyer', 'gate', 'outbox', 'Kafka', 'ledger', 'gate effect'] as const;
export type Lane = (typeof LANES)[number];

export interface Step {
  readonly lane: Lane;
  readonly at: Date;
  readonly title: string;
  readonly cause: string;
}

export function stepsOf(detail: ReservationDetail): Step[] {
  return [...ofOrder(detail), ...ofLedger(detail), ...ofEvents(detail), ...ofEffects(detail)].sort(
    (a, b) => a.at.getTime() - b.at.getTime() || LANES.indexOf(a.lane) - LANES.indexOf(b.lane),
  );
}

function ofOrder({ line, trade, abandonedAt }: ReservationDetail): Step[] {
  const steps: Step[] = [];
  if (trade)
    steps.push({
      lane: 'buyer',
      at: trade.createdAt,
      title: 'Order placed',
      cause: `trade ${trade.tradeId.slice(-8)}`,
    });
  if (line)
    steps.push({
      lane: 'gate',
      at: line.heldAt,
      title: 'Units taken at the gate',
      cause: `${line.gateMode}, epoch ${line.epoch ?? '–'}, generation ${line.generation ?? '–'}`,
    });
  if (abandonedAt)
    steps.push({ lane: 'gate', at: abandonedAt, title: 'Hold abandoned', cause: 'no order will ever name it' });
  return steps;
}

function ofLedger({ reservation }: ReservationDetail): Step[] {
  if (!reservation) return [];
  const { recordedAt, confirmedAt, endedAt, status, quantity, releaseReason } = reservation;
  const tombstone = status === 'RELEASED' && endedAt?.getTime() === recordedAt.getTime();
  const steps: Step[] = [];
  if (!tombstone)
    steps.push({
      lane: 'ledger',
      at: recordedAt,
      title: 'Recorded: nothing → PRE_DEDUCTED',
      cause: `reserved +${quantity}`,
    });
  if (confirmedAt)
    steps.push({
      lane: 'ledger',
      at: confirmedAt,
      title: 'PRE_DEDUCTED → CONFIRMED',
      cause: `on hand −${quantity}, reserved −${quantity}, confirmed +${quantity}`,
    });
  if (endedAt && status !== 'CONFIRMED')
    steps.push({
      lane: 'ledger',
      at: endedAt,
      title: `${tombstone ? 'nothing' : 'PRE_DEDUCTED'} → ${status}`,
      cause: releaseReason ?? 'end by time',
    });
  return steps;
}

function ofEvents({ events }: ReservationDetail): Step[] {
  return events.flatMap((event) => {
    const written: Step = {
      lane: 'outbox',
      at: event.occurredAt,
      title: event.type,
      cause: `event ${event.id}, ${event.status.toLowerCase()}`,
    };
    if (!event.sentAt) return [written];
    const readers = event.consumedBy.length === 0 ? 'read by nobody yet' : `read by ${event.consumedBy.join(', ')}`;
    return [
      written,
      {
        lane: 'Kafka' as const,
        at: event.sentAt,
        title: `${event.type} sent`,
        cause: `partition ${event.partition ?? '–'}, offset ${event.offset ?? '–'}, ${readers}`,
      },
    ];
  });
}

function ofEffects({ effects }: ReservationDetail): Step[] {
  return effects.flatMap((effect) => {
    const due: Step = {
      lane: 'gate effect',
      at: effect.createdAt,
      title: `${effect.kind} due`,
      cause: `effect ${effect.id}, ${effect.quantity} units`,
    };
    return effect.appliedAt
      ? [
          due,
          {
            lane: 'gate effect' as const,
            at: effect.appliedAt,
            title: `${effect.kind} applied`,
            cause: `epoch ${effect.epoch ?? '–'}`,
          },
        ]
      : [due];
  });
}
