import type { IncomingEvent } from '@holdfast/core/domain';
import { expect, test } from 'vitest';
import { planLedger } from './plan-ledger.ts';

let id = 0;
function event(type: 'INVENTORY_RESERVE_DB' | 'INVENTORY_CONFIRM' | 'INVENTORY_RELEASE', key: string): IncomingEvent {
  const payload = { tradeId: key, shopOrderId: key, lines: [], payUntil: '', reason: '' };
  return { id: String(id++), type, key, traceId: '', occurredAt: '', payload };
}

test('Events of one kind are handled together when no key is overtaken', () => {
  const parts = planLedger([
    event('INVENTORY_RESERVE_DB', 'a'),
    event('INVENTORY_CONFIRM', 'b'),
    event('INVENTORY_RESERVE_DB', 'c'),
    event('INVENTORY_CONFIRM', 'a'),
    event('INVENTORY_RELEASE', 'd'),
    event('INVENTORY_RESERVE_DB', 'e'),
  ]);
  expect(parts.map((part) => part.map((e) => e.key))).toEqual([['a', 'c', 'e'], ['b', 'a'], ['d']]);
});

test('C33 – Each key keeps its own order, whatever the sequence of kinds', () => {
  const kinds = ['INVENTORY_RESERVE_DB', 'INVENTORY_CONFIRM', 'INVENTORY_RELEASE'] as const;
  const events = Array.from({ length: 300 }, (_, n) =>
    event(kinds[(n * 7 + (n >> 3)) % 3] ?? kinds[0], `k${(n * 5) % 11}`),
  );
  const planned = planLedger(events).flat();
  expect(planned).toHaveLength(events.length);
  for (const key of new Set(events.map((e) => e.key)))
    expect(planned.filter((e) => e.key === key)).toEqual(events.filter((e) => e.key === key));
});
