/** Incidents through the procedures: who may close which, and what it leaves. And what the console is without signing in. */
import { INCIDENT_KINDS, type IncidentKind, openIncident } from '@holdfast/core/ops';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleDesk, openConsoleDesk } from './console-desk.testing.ts';
import { appRouter } from './router.ts';

const reason = 'refunded at the provider, re_123';
let desk: ConsoleDesk;
beforeAll(async () => {
  desk = await openConsoleDesk('incident_procedures');
});
afterAll(() => desk.close());

async function open(kind: IncidentKind, subject = kind.toLowerCase()): Promise<number> {
  await openIncident(desk.shop.pool, { kind, subject, detail: {} });
  const { incidents } = await desk.as('viewer').incidents({ status: 'OPEN' });
  return incidents.find((incident) => incident.kind === kind && incident.subject === subject)?.id ?? -1;
}
const mayClose = async (id: number) =>
  (await desk.as('viewer').incidents({})).incidents.find((incident) => incident.id === id)?.mayClose;
/** A success notice that no order is known for; with a text as amount when it is null. */
const plantNotice = (eventId: string, amountMinor: number | null) =>
  desk.shop.pool.query(
    `INSERT INTO tinystore_order.payment_event (event_id, intent_ref, kind, attempt, amount_minor, currency, payload, verdict, judged_at)
     VALUES ($1, 'pi_of_nobody', 'SUCCEEDED', 1, $2, 'EUR', '{}', 'UNMATCHED', ops.clock_now())`,
    [eventId, amountMinor],
  );

test('An incident that nothing else can close is closed by hand, once, and says who and why', async () => {
  const id = await open('OVER_ADMITTED');
  expect(await mayClose(id)).toBe(true);
  await expect(desk.as('viewer').closeIncident({ id, reason })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(desk.as('operator').closeIncident({ id, reason: ' ' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  for (let time = 0; time < 2; time++)
    expect(await desk.as('operator').closeIncident({ id, reason })).toEqual({ kind: 'closed' });
  expect(await mayClose(id)).toBe(false);
  const { rows } = await desk.shop.pool.query(
    `SELECT actor, reason, before, after FROM ops.audit_log WHERE action = 'incident.close' AND target = $1`,
    [`incident ${id}`],
  );
  const before = { status: 'OPEN', kind: 'OVER_ADMITTED', subject: 'over_admitted' };
  expect(rows).toEqual([{ actor: 'otto@shop.example', reason, before, after: { status: 'CLOSED' } }]);
  await expect(desk.as('operator').closeIncident({ id: 999_999, reason })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('An incident that closes by itself is refused: by hand it would only be hidden', async () => {
  const kinds = Object.keys(INCIDENT_KINDS) as IncidentKind[];
  const ofItself = kinds.filter((kind) => INCIDENT_KINDS[kind].closes === 'itself');
  expect(ofItself).toEqual(expect.arrayContaining(['LATE_MONEY', 'UNEXPLAINED_DRIFT', 'DEAD_LETTER']));
  for (const kind of ofItself) {
    const id = await open(kind);
    expect(await mayClose(id)).toBe(false);
    await expect(desk.as('admin').closeIncident({ id, reason })).rejects.toMatchObject({ code: 'CONFLICT' });
  }
  await desk.shop.pool.query('DELETE FROM ops.incident');
});

test('Unmatched money is closed by hand only when nobody knows how much to give back', async () => {
  await plantNotice('evt_known', 1999);
  await plantNotice('evt_unreadable', null);
  const [known, unreadable] = [
    await open('UNMATCHED_PAYMENT', 'evt_known'),
    await open('UNMATCHED_PAYMENT', 'evt_unreadable'),
  ];
  expect([await mayClose(known), await mayClose(unreadable)]).toEqual([false, true]);
  await expect(desk.as('operator').closeIncident({ id: known, reason })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await desk.as('operator').closeIncident({ id: unreadable, reason })).toEqual({ kind: 'closed' });
});

test('Nobody gets anything from the console without signing in: UNAUTHENTICATED, whatever is asked', async () => {
  const nobody = desk.as('nobody') as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  const names = Object.keys(appRouter._def.procedures).flatMap((path) =>
    path.startsWith('ops.') ? [path.slice(4)] : [],
  );
  expect(names.length).toBeGreaterThan(30);
  for (const name of names.filter((one) => one !== 'signedIn'))
    await expect(nobody[name]?.({}), name).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      failure: { code: 'UNAUTHENTICATED', message: 'Please sign in.' },
    });
  expect(await nobody.signedIn?.(undefined)).toBeNull();
});
