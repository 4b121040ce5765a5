/** The rows of the fault matrix: for each step of an order's life, the bytes at which it stands still. */
import { until } from '../until.ts';
import type { Place, Recognise } from './connection.ts';
import { isOffsetCommit } from './kafka-address.ts';
import { type LinkName, type ProcessName, type Product, QUIET } from './product.ts';
import type { ServerName } from './servers.ts';

export interface Step {
  readonly id: string;
  readonly process: ProcessName;
  readonly link: LinkName;
  /** The server it talks to there. */
  readonly server?: ServerName;
  readonly place: Place;
  /** What is on its way there, for faults that double or delay it. */
  readonly carries: 'order' | 'message' | 'notice' | 'effect' | 'call';
  /** Makes the step come, where the load alone does not. */
  prepare?(product: Product): Promise<unknown>;
  /** Until the process really stands there. */
  stands?(product: Product): Promise<unknown>;
  tidy?(product: Product): Promise<unknown>;
}

const has =
  (...texts: readonly string[]): Recognise =>
  (bytes) =>
    texts.every((text) => bytes.includes(text));
const RESERVE = 'INVENTORY_RESERVE_DB';
const isTake = has('evalsha', 'inventory:deducted:');
const isCommit = has('commit-orders');
const isProduce = (bytes: Buffer) => bytes.readInt16BE(4) === 0 && bytes.includes(RESERVE);
const COMMIT = has('COMMIT\0');

const web = { process: 'web', carries: 'order' } as const;
const webRedis = { ...web, link: 'webRedis', server: 'redis' } as const;
const webDatabase = { ...web, link: 'webDatabase', server: 'postgres' } as const;
const worker = { process: 'worker', carries: 'message' } as const;
const workerDatabase = { ...worker, link: 'workerDatabase', server: 'postgres' } as const;
const workerKafka = { ...worker, link: 'workerKafka', server: 'kafka' } as const;
const commitAfter = (...texts: readonly string[]): Place => ({ at: 'request', is: COMMIT, after: has(...texts) });

export const STEPS: readonly Step[] = [
  { id: 'key check', ...webRedis, place: { at: 'request', is: has('order:attempt:', 'NX') } },
  { id: 'gate sent', ...webRedis, place: { at: 'request', is: isTake } },
  { id: 'gate applied, reply lost', ...webRedis, place: { at: 'answer-to', is: isTake } },
  { id: 'commit begun', ...webDatabase, place: { at: 'request', is: isCommit } },
  {
    ...{ id: 'commit', ...webDatabase, place: { at: 'working', is: isCommit } },
    prepare: ({ pool }) => slowCommits(pool, SLEEP_ONCE).then(() => attachSlowCommits(pool)),
    stands: ({ pool }) => until('the commit is under way', async () => isCommitting(pool)),
    tidy: ({ pool }) => slowCommits(pool, 'RETURN NULL;'),
  },
  { id: 'commit, reply lost', ...webDatabase, place: { at: 'answer-to', is: isCommit } },
  { id: 'answer', ...web, link: 'http', place: { at: 'answer', is: has('"tradeId"', '"payUntil"', '"totalMinor"') } },
  { id: 'claim', ...workerDatabase, place: { at: 'request', is: has('outbox.claim') } },
  { id: 'produce', ...workerKafka, place: { at: 'request', is: isProduce } },
  { id: 'produce, reply lost', ...workerKafka, place: { at: 'answer-to', is: isProduce } },
  { id: 'mark sent', ...workerDatabase, place: { at: 'request', is: has('outbox.mark') } },
  { id: 'consume', ...workerKafka, place: { at: 'answer', is: has(RESERVE) } },
  { id: 'ledger commit', ...workerDatabase, place: commitAfter('INVENTORY_RESERVED', 'outbox_event') },
  { id: 'offset commit', ...workerKafka, place: { at: 'request', is: isOffsetCommit } },
  {
    ...{ id: 'webhook', process: 'web', link: 'http', server: 'postgres', carries: 'notice' },
    place: { at: 'request', is: has('POST /api/webhooks/payment') },
  },
  { id: 'confirm commit', ...workerDatabase, place: commitAfter(`'CONFIRMED', confirmed_at`) },
  { id: 'release or end-by-time commit', ...workerDatabase, place: commitAfter('release_reason = $3') },
  {
    ...{ id: 'gate effect', process: 'worker', link: 'workerRedis', server: 'redis', carries: 'effect' },
    place: { at: 'request', is: isMove },
  },
  {
    ...{ id: 'repair', ...workerDatabase, carries: 'call' },
    place: { at: 'request', is: has('tinystore_inventory.reinstall_sku') },
    // One hold too few at the gate: the reconcile run finds it and loads the SKU anew.
    prepare: async ({ redis }) => void (await redis.decr(`inventory:deducted:{S1}:${QUIET}`)),
  },
];

/** Once a transaction, however many orders commit together. */
const SLEEP_ONCE = `
  IF current_setting('holdfast.slept', true) IS DISTINCT FROM '1' THEN
    PERFORM set_config('holdfast.slept', '1', true);
    PERFORM pg_sleep(0.8);
  END IF;
  RETURN NULL;`;

/** settle or giveBack, whose arguments are members `reservationId:quantity`. */
function isMove(bytes: Buffer): boolean {
  return isTake(bytes) && /\r\n[0-9a-f-]{36}:\d+\r\n/.test(bytes.toString('latin1'));
}

async function slowCommits(pool: Product['pool'], body: string): Promise<void> {
  // Replaced, not dropped: that would wait for the commits under way.
  await pool.query(
    `CREATE OR REPLACE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} END $$`,
  );
}

async function attachSlowCommits(pool: Product['pool']): Promise<void> {
  await pool.query(
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = 'slow_commit') THEN
       CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON tinystore_order.shop_order
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_commit(); END IF; END $$`,
  );
}

async function isCommitting(pool: Product['pool']): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
  );
  return (rowCount ?? 0) > 0;
}
