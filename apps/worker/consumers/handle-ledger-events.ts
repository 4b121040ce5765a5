/** The ledger's consumer: RESERVE, CONFIRM and RELEASE, one type a call, as `planLedger` cuts them. */
import type { IncomingEvent } from '@holdfast/core/domain';
import { confirmTrades, recordReservations, releaseReservations } from '@holdfast/core/ledger';
import type { Tx } from '@holdfast/core/platform';
import type { RefusedEvent } from '@holdfast/core/stream';

type OfType<T extends IncomingEvent['type']> = Extract<IncomingEvent, { type: T }>;

export async function handleLedgerEvents(tx: Tx, events: readonly IncomingEvent[]): Promise<RefusedEvent[]> {
  const reserve = events.filter((e): e is OfType<'INVENTORY_RESERVE_DB'> => e.type === 'INVENTORY_RESERVE_DB');
  const confirm = events.filter((e): e is OfType<'INVENTORY_CONFIRM'> => e.type === 'INVENTORY_CONFIRM');
  const release = events.filter((e): e is OfType<'INVENTORY_RELEASE'> => e.type === 'INVENTORY_RELEASE');
  if (reserve.length > 0)
    await recordReservations(
      tx,
      reserve.map(({ payload, traceId }) => ({ ...payload, traceId })),
    );
  const refused = confirm.length > 0 ? await confirmAll(tx, confirm) : [];
  if (release.length > 0)
    await releaseReservations(
      tx,
      release.map(({ payload, traceId }) => ({ ...payload, traceId })),
    );
  return refused;
}

/** A CONFIRM without its row has no effect and must not be forgotten (P27). */
async function confirmAll(tx: Tx, events: readonly OfType<'INVENTORY_CONFIRM'>[]): Promise<RefusedEvent[]> {
  const results = await confirmTrades(
    tx,
    events.map(({ payload: { tradeId, shopOrderId, lines }, traceId }) => ({
      tradeId,
      shopOrderId,
      traceId,
      reservationIds: lines.map((line) => line.reservationId),
    })),
  );
  return events.flatMap((event, index) =>
    results[index]?.outcome === 'no-row'
      ? [{ eventId: event.id, reason: 'CONFIRM_WITHOUT_ROW: the ledger has no row for these units' }]
      : [],
  );
}
