/**
 * What a new process does about everything an old one left: each job once, in order, with delivery and gatekeeper in
 * between, again and again until a whole round has changed nothing. Time stands still meanwhile; whoever waits for a
 * deadline or for the proof age moves the clock first, and then calls it once more.
 */
import type { Gate, Gatekeeper } from '../gate/index.ts';
import { finishSwitches } from '../ledger/index.ts';
import {
  compareIntents,
  endByTime,
  judgeNotices,
  matchUnmatched,
  type PaymentProvider,
  sendRefunds,
  settleLateMoney,
  timeOutPromotions,
} from '../order/index.ts';
import { createMetrics, type Log, type Pool, silentLog, type Waker } from '../platform/index.ts';
import { reconcile, type SweepDeps, sweepGhostHolds } from '../reconcile/index.ts';
import { deliverEvents } from './deliver-events.ts';

export interface RecoverDeps {
  readonly pool: Pool;
  readonly gate: Gate;
  readonly gatekeeper: Pick<Gatekeeper, 'runOnce'>;
  readonly provider: PaymentProvider;
  readonly log?: Log;
  readonly waker?: Waker;
  /** Hands on whatever events are under way, and says how many; default: straight from the outbox. */
  readonly deliver?: () => Promise<number>;
  /** Further jobs of the scenario, by what they changed. */
  readonly also?: readonly (() => Promise<number>)[];
}

export const PROOF_AGE_MS = 60_000;
const LIMIT = { limit: 10_000 };
const PROMOTION = { pendingSeconds: 30, batchSize: 200, maxBatches: 50 };
const MOST_ROUNDS = 20;

/** @throws when the jobs still find something to do after many rounds, and says which */
export async function recoverAll(deps: RecoverDeps): Promise<void> {
  let busy: string[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    busy = [];
    for (const [name, run] of rounds(deps)) if ((await run()) > 0) busy.push(name);
    if (busy.length === 0) return;
  }
  throw new Error(`still at work after ${MOST_ROUNDS} rounds: ${busy.join(', ')}`);
}

type Step = readonly [name: string, run: () => Promise<number>];

function rounds(deps: RecoverDeps): Step[] {
  const { pool, gate, gatekeeper, provider, also = [] } = deps;
  const common = { pool, gate, provider, log: deps.log ?? silentLog, waker: deps.waker ?? { wake: () => undefined } };
  const deliver: Step = ['events', deps.deliver ?? (async () => (await deliverEvents(pool)).length)];
  const tendGate: Step = ['gatekeeper', () => tend(gatekeeper, gate, pool)];
  const jobs: readonly Step[] = [
    ['gate.finish-switch', async () => (await finishSwitches(common, LIMIT)).finished],
    ['payment.judge', async () => (await judgeNotices(common, LIMIT)).judged],
    ['payment.unmatched', async () => changed(await matchUnmatched(common, LIMIT))],
    ['payment.late-money', async () => revivedOrRefunded(await settleLateMoney(common, LIMIT))],
    ['payment.send-refunds', async () => (await sendRefunds(common, LIMIT)).changed],
    ['payment.compare', async () => (await compareIntents(common, LIMIT)).fetched],
    ['reservation.expire', async () => (await endByTime(common, LIMIT)).ended],
    ['promotion.time-out', async () => (await timeOutPromotions(common, PROMOTION)).cancelled],
    ['gate.sweep-ghost-holds', () => sweep(common)],
    ['inventory.reconcile', async () => (await reconcile({ ...common, ...RECONCILE })).reinstalled],
    ...also.map((run, index): Step => [`also ${index}`, run]),
  ];
  return [deliver, tendGate, ...jobs, deliver, tendGate];
}

const RECONCILE = { metrics: createMetrics('recover'), proofAgeMs: PROOF_AGE_MS };
const SWEEP_AGES = { proofAgeMs: PROOF_AGE_MS, incidentAgeMs: 30 * 60_000 };

const changed = (summary: { readonly matched: number; readonly givenBack: number }) =>
  summary.matched + summary.givenBack;
const revivedOrRefunded = (summary: { readonly revived: number; readonly refunded: number }) =>
  summary.revived + summary.refunded;

async function sweep(deps: Omit<SweepDeps, keyof typeof SWEEP_AGES>): Promise<number> {
  const { givenBack, settled, tombstones } = await sweepGhostHolds({ ...deps, ...SWEEP_AGES });
  return givenBack + settled + tombstones;
}

/** One pass; how many effects it has applied. */
async function tend(gatekeeper: RecoverDeps['gatekeeper'], gate: Gate, pool: Pool): Promise<number> {
  const before = await countPending(pool);
  await gatekeeper.runOnce();
  await gate.refresh();
  return before - (await countPending(pool));
}

async function countPending(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*) AS n FROM tinystore_inventory.gate_effect WHERE status = 'PENDING'`,
  );
  return rows[0]?.n ?? 0;
}
