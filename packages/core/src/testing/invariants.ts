/**
 * The invariants of design section 12, checked on a system at rest: at the end of every integration, browser and
 * bench run. `waitUntilQuiet` comes first; what is still under way then is itself a violation.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createGate, type Gate, type SkuRef } from '../gate/index.ts';
import { createMetrics, openGateRedis, type Pool, type Sql, silentLog } from '../platform/index.ts';
import { compareSkus, type DriftCause } from '../reconcile/index.ts';
import { AFTER_SALE_INVARIANTS } from './after-sale-invariants.ts';
import { LATE_MONEY_INVARIANTS } from './late-money-invariants.ts';
import { LETTER_INVARIANTS, UNDECIDED } from './letter-invariants.ts';
import { ORDER_INVARIANTS, UNCONSUMED } from './order-invariants.ts';
import { PROMISE_INVARIANTS } from './promise-invariants.ts';
import { STOCK_INVARIANTS } from './stock-invariants.ts';

export interface Violation {
  readonly invariant: number;
  readonly sentence: string;
  readonly subject: string;
  readonly detail: string;
}

export interface InvariantDeps {
  readonly pool: Pool;
  /** The gate, or the Redis server it lives on. */
  readonly gate?: Gate;
  readonly redisUrl?: string;
  /** Trades that were acknowledged to somebody (invariant 7). */
  readonly acknowledged?: readonly string[];
  /** Differences between the books that this run may leave, such as JUST_TAKEN after a crash within the proof age. */
  readonly tolerate?: readonly DriftCause[];
  /** Numbers of the invariants to check; all unless the books were written without what the others are about. */
  readonly only?: readonly number[];
}

const MAX_PER_QUERY = 20;
const PAGE = 200;
const MAX_PAGES = 5000;

export async function checkInvariants(deps: InvariantDeps): Promise<Violation[]> {
  return [
    ...(await findBroken(deps.pool, deps.only)),
    ...(await checkAcknowledged(deps)),
    ...(await withGate(deps, (gate) => checkGate(deps, gate))),
  ];
}

/** Every invariant that the database alone can tell. */
export async function findBroken(sql: Sql, only?: readonly number[]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const { invariant, sentence, sql: text } of [
    ...STOCK_INVARIANTS,
    ...ORDER_INVARIANTS,
    ...AFTER_SALE_INVARIANTS,
    ...LETTER_INVARIANTS,
    ...LATE_MONEY_INVARIANTS,
    ...PROMISE_INVARIANTS,
  ]) {
    if (only && !only.includes(invariant)) continue;
    const { rows } = await sql.query<{ subject: string; detail: string }>(`${text} LIMIT ${MAX_PER_QUERY}`);
    found.push(...rows.map((row) => ({ invariant, sentence, ...row })));
  }
  return found;
}

export async function checkAcknowledged({ pool, acknowledged = [] }: InvariantDeps): Promise<Violation[]> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT u.id FROM unnest($1::uuid[]) AS u(id) WHERE NOT EXISTS (SELECT FROM tinystore_order.trade t WHERE t.id = u.id)',
    [acknowledged],
  );
  return rows.map(({ id }) => ({
    invariant: 7,
    sentence: 'an acknowledged order is not there',
    subject: id,
    detail: 'no trade',
  }));
}

/** Invariant 3: at rest not even an explained difference is left. */
export async function checkGate({ pool, tolerate = [] }: InvariantDeps, gate: Gate): Promise<Violation[]> {
  const found: Violation[] = [];
  let after: SkuRef | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const skus: SkuRef[] = await readSkus(pool, after);
    for (const c of await compareSkus({ pool, gate, proofAgeMs: 60_000 }, skus)) {
      const violation = (sentence: string, detail: string) =>
        found.push({ invariant: 3, sentence, subject: `${c.shopId}/${c.skuId}`, detail });
      if (c.kind === 'unknown') violation('the gate could not be read', c.why);
      else if (c.kind === 'moving') violation('the gate is not at rest', 'its version kept changing');
      else if (c.kind === 'judged') {
        const rows = c.explanation.rows.filter((row) => !tolerate.includes(row.cause));
        if (rows.length > 0)
          violation(
            'gate and ledger differ',
            rows.map((row) => `${row.cause} ${row.units} (${row.sample.join(' ')})`).join(', '),
          );
        if (c.gate.deducted < 0 || c.gate.deducted > c.gate.total)
          violation('the gate sold more than it has', `D ${c.gate.deducted}, T ${c.gate.total}`);
      }
    }
    after = skus.at(-1) ?? null;
    if (skus.length < PAGE) break;
  }
  return found;
}

async function readSkus(pool: Pool, after: SkuRef | null): Promise<SkuRef[]> {
  const { rows } = await pool.query<SkuRef>(
    `SELECT shop_id AS "shopId", sku_id AS "skuId" FROM tinystore_inventory.inventory_stock
     WHERE gate_mode = 'REDIS' AND ($1::text IS NULL OR (shop_id, sku_id) > ($1, $2)) ORDER BY 1, 2 LIMIT $3`,
    [after?.shopId ?? null, after?.skuId ?? null, PAGE],
  );
  return rows;
}

async function withGate<T>({ pool, gate, redisUrl }: InvariantDeps, work: (gate: Gate) => Promise<T>): Promise<T> {
  if (gate) return await work(gate);
  if (!redisUrl) throw new Error('the invariants need the gate or its Redis address');
  const redis = openGateRedis(redisUrl, 'holdfast-invariants', 5000);
  try {
    await redis.ping().catch(() => new Promise((resolve) => redis.once('ready', resolve)));
    return await work(
      createGate({
        redis,
        pool,
        log: silentLog,
        metrics: createMetrics('invariants'),
        waker: { wake: () => undefined },
      }),
    );
  } finally {
    redis.disconnect();
  }
}

/** What is still under way, by name; all zero means quiet. An event that no consumer of this database reads yet counts too. */
const UNDER_WAY = `
  SELECT (SELECT count(*) FROM tinystore_order.outbox_pending WHERE status = 'PENDING') AS "outbox events",
    (SELECT count(*) FROM (${UNCONSUMED}) u) AS "events not consumed",
    (SELECT count(*) FROM (${UNDECIDED}) l) AS "failing messages",
    (SELECT count(*) FROM tinystore_inventory.gate_effect WHERE status = 'PENDING') AS "gate effects",
    (SELECT count(*) FROM tinystore_order.shop_order WHERE status IN ('RESERVING', 'CONFIRMING', 'RELEASING')) AS "shop orders",
    (SELECT count(*) FROM tinystore_order.trade WHERE status = 'PAID_PENDING') AS "paid orders",
    (SELECT count(*) FROM tinystore_order.payment_event WHERE judged_at IS NULL) AS "payment notices",
    (SELECT count(*) FROM tinystore_order.refund WHERE status IN ('REQUESTED', 'SENT')) AS "refunds",
    (SELECT count(*) FROM tinystore_order.late_payment WHERE status IN ('OPEN', 'REVIVING')) AS "late payments",
    (SELECT count(*) FROM tinystore_inventory.gate_epoch WHERE NOT open OR closed_reported IS NOT NULL) AS "gate openings"`;

/** Waits until nothing is under way, in two looks in a row. @throws naming what is left after `limitMs` */
export async function waitUntilQuiet(
  { pool }: { readonly pool: Pool },
  { limitMs = 60_000 }: { readonly limitMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (let quiet = 0; quiet < 2; ) {
    const { rows } = await pool.query<Record<string, number>>(UNDER_WAY);
    const left = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0);
    quiet = left.length === 0 ? quiet + 1 : 0;
    if (performance.now() > deadline)
      throw new Error(`not quiet within ${limitMs} ms: ${left.map(([what, count]) => `${count} ${what}`).join(', ')}`);
    await sleep(50);
  }
}
