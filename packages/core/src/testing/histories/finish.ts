/**
 * The end of a history: faults stop, what was held goes on, everything runs out by itself, and then nothing may be
 * broken, stranded or owed.
 */
import { skuKeys } from '../../gate/index.ts';
import { checkAcknowledged, checkGate, findBroken } from '../invariants.ts';
import { arrive, passTime } from './commands/faults.ts';
import { RUNNABLE, runJob } from './commands/jobs.ts';
import { tell } from './commands/money.ts';
import { lagging, readOnce, relay } from './commands/stream.ts';
import { type History, note, resume } from './history.ts';
import type { Member } from './members.ts';

/** Back-off of messages and refunds, proof age, time to pay with its extension, late money, unknown money, and sweeps between. */
const WAITS_MS = [0, 61_000, 1_300_000, 61_000, 700_000, 61_000, 61_000, 4_000_000, 61_000, 61_000, 61_000];
const MOST_ROUNDS = 30;

export async function finish(history: History): Promise<void> {
  history.mishaps = false;
  note(history, '--- faults stop');
  while (history.held.length > 0) await resume(history, 0, 'goes-on');
  while (history.late.length > 0) await arrive(history, 0);
  const worker = history.newMember();
  for (const waitMs of WAITS_MS) {
    if (waitMs > 0) await passTime(history, waitMs);
    await settle(history, worker);
    const found = await runJobs(history, worker);
    await settle(history, worker);
    if (waitMs > 0 && found === 0 && (await isAtRest(history))) break;
  }
  history.broken.push(...(await findOwed(history)), ...(await findBrokenAtRest(history, worker)));
}

/** Each once; returns how many SKUs the comparison of the books found to differ. */
async function runJobs(history: History, worker: Member): Promise<number> {
  let differing = 1;
  for (const job of RUNNABLE) {
    const detail = await runJob(history, worker, job);
    if (job.id === 'inventory.reconcile' && detail.outcome !== 'closed') differing = Number(detail.differing);
  }
  return differing;
}

/** Nothing is left to wait for: no deadline, no message, no money, no hold. */
const LEFT = `
  SELECT (SELECT count(*) FROM tinystore_order.trade WHERE status IN ('UNPAID', 'PAID_PENDING'))
    + (SELECT count(*) FROM tinystore_order.shop_order WHERE status IN ('RESERVING', 'CONFIRMING', 'RELEASING'))
    + (SELECT count(*) FROM tinystore_inventory.inventory_reservation WHERE status = 'PRE_DEDUCTED')
    + (SELECT count(*) FROM tinystore_inventory.gate_effect WHERE status = 'PENDING')
    + (SELECT count(*) FROM tinystore_order.outbox_pending)
    + (SELECT count(*) FROM tinystore_order.refund WHERE status IN ('REQUESTED', 'SENT', 'FAILED'))
    + (SELECT count(*) FROM tinystore_order.late_payment WHERE status IN ('OPEN', 'REVIVING'))
    + (SELECT count(*) FROM tinystore_inventory.dead_letter WHERE status NOT IN ('RESOLVED', 'DISCARDED'))
    + (SELECT count(*) FROM tinystore_inventory.inventory_stock WHERE gate_mode = 'SWITCHING')
    + (SELECT count(*) FROM demo_provider.intent i WHERE i.expires_at > ops.clock_now()) AS left`;

async function isAtRest({ stores, world }: History): Promise<boolean> {
  const { rows } = await stores.look.query<{ left: string }>(LEFT);
  if (Number(rows[0]?.left) > 0) return false;
  const holds = await Promise.all(world.skus.map((sku) => stores.redis.zcard(skuKeys(sku)[2])));
  return holds.every((count) => count === 0);
}

async function findBrokenAtRest({ stores, orders }: History, { desk }: Member): Promise<string[]> {
  const acknowledged = orders.flatMap(({ answer }) => answer?.tradeId ?? []);
  const { pool } = stores;
  const broken = [
    ...(await findBroken(stores.look)),
    ...(await checkAcknowledged({ pool, acknowledged })),
    ...(await checkGate({ pool }, desk.gate)),
  ];
  return broken.map(
    ({ invariant, sentence, subject, detail }) => `invariant ${invariant}: ${sentence}: ${subject}: ${detail}`,
  );
}

/** Until nothing moves any more. */
async function settle(history: History, worker: Member): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await worker.gatekeeper.runOnce();
    let moved = await relay(history, worker);
    for (const { reader, partition } of lagging(history)) {
      await readOnce(history, worker, reader, partition, 100);
      moved++;
    }
    moved += await tellAll(history, worker);
    if (moved === 0) return;
  }
  history.broken.push(`still moving after ${MOST_ROUNDS} rounds`);
}

async function tellAll(history: History, worker: Member): Promise<number> {
  const { rows } = await history.stores.look.query<{ eventId: string; body: string }>(
    `SELECT event_id AS "eventId", body FROM demo_provider.notice WHERE delivered_at IS NULL ORDER BY event_id`,
  );
  for (const notice of rows) await tell(history, worker, notice);
  return rows.length;
}

/** Money and promises when every deadline has passed. */
const OWED: readonly { readonly sentence: string; readonly sql: string }[] = [
  {
    sentence: 'an order that no deadline ended',
    sql: `SELECT id::text || ' ' || status AS subject FROM tinystore_order.trade WHERE status IN ('UNPAID', 'PAID_PENDING')`,
  },
  {
    sentence: 'a reservation that nobody ended',
    sql: `SELECT reservation_id::text AS subject FROM tinystore_inventory.inventory_reservation WHERE status = 'PRE_DEDUCTED'`,
  },
  {
    sentence: 'money received in time and not served',
    sql: `SELECT t.id::text AS subject FROM tinystore_order.trade t JOIN tinystore_order.payment_event e ON e.trade_id = t.id
          WHERE e.kind = 'SUCCEEDED' AND e.received_at <= t.pay_until AND e.amount_minor = t.total_minor
            AND t.status IN ('CLOSED', 'REFUNDED') AND t.close_reason = 'TIMED_OUT'`,
  },
  {
    sentence: 'money at the provider that no order has and nobody gave back',
    sql: `SELECT format('%s: paid %s, given back %s, order %s', i.intent_ref, c.paid, coalesce(r.back, 0), coalesce(t.kept, 0)) AS subject
          FROM demo_provider.intent i
          JOIN LATERAL (SELECT sum(amount_minor) AS paid FROM demo_provider.charge
                        WHERE intent_ref = i.intent_ref AND status = 'SUCCEEDED') c ON c.paid IS NOT NULL
          LEFT JOIN LATERAL (SELECT sum(amount_minor) AS back FROM demo_provider.refund WHERE intent_ref = i.intent_ref) r ON true
          LEFT JOIN LATERAL (
            SELECT CASE WHEN t.status IN ('PAID', 'SHIPPED', 'RECEIVED') THEN t.total_minor
              - (SELECT coalesce(sum(f.amount_minor), 0) FROM tinystore_order.refund f
                 WHERE f.trade_id = t.id AND f.shop_order_id IS NOT NULL AND f.status = 'SUCCEEDED') ELSE 0 END AS kept
            FROM tinystore_order.payment_intent p JOIN tinystore_order.trade t ON t.id = p.trade_id
            WHERE p.id::text = i.intent_ref) t ON true
          WHERE c.paid - coalesce(r.back, 0) <> coalesce(t.kept, 0)`,
  },
  {
    sentence: 'a message that nobody could handle',
    sql: `SELECT type || ': ' || reason AS subject FROM tinystore_inventory.dead_letter WHERE status <> 'RESOLVED'`,
  },
  {
    sentence: 'a defect that an incident tells of',
    sql: `SELECT kind || ' ' || subject AS subject FROM ops.incident
          WHERE kind IN ('CONFIRM_WITHOUT_ROW', 'RELEASE_OF_CONFIRMED', 'OVER_ADMITTED')`,
  },
];

async function findOwed({ stores, rolledBack }: History): Promise<string[]> {
  const found: string[] = [];
  for (const { sentence, sql } of OWED) {
    const { rows } = await stores.look.query<{ subject: string }>(sql);
    found.push(
      ...rows
        .filter(({ subject }) => !(rolledBack && subject.startsWith('OVER_ADMITTED')))
        .map(({ subject }) => `${sentence}: ${subject}`),
    );
  }
  return found;
}
