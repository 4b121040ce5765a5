/**
 * Delivery of the demo provider's notices, as a real provider does it: signed, over HTTP, again with back-off until
 * the shop answers 2xx. What was not delivered stands in a table, so a restart loses nothing.
 */
import type { Pool, Sql } from '../../../platform/index.ts';
import { signNotice } from '../notice-signature.ts';

const TRY_LIMIT_MS = 5000;
const MAX_WAIT_SECONDS = 300;
const AT_ONCE = 8;

export interface DeliveryOptions {
  readonly pool: Pool;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  readonly signatureHeader: string;
  /** Wait after the first failed try; doubled from try to try, at most five minutes. */
  readonly firstWaitMs?: number;
}

export interface NoticeDelivery {
  readonly eventId: string;
  readonly tries: number;
  /** The shop answered 2xx. */
  readonly delivered: boolean;
}

interface Claimed {
  readonly eventId: string;
  readonly body: string;
  readonly tries: number;
}

/** One try for each notice that is due, or only for those named. */
export async function deliverDue(
  options: DeliveryOptions,
  wanted: { readonly limit: number; readonly only?: readonly string[] },
): Promise<NoticeDelivery[]> {
  const deliveries: NoticeDelivery[] = [];
  for (let left = wanted.limit; left > 0; ) {
    const claimed = await claim(options, Math.min(left, AT_ONCE), wanted.only);
    if (claimed.length === 0) break;
    deliveries.push(...(await Promise.all(claimed.map((notice) => tryToDeliver(options, notice)))));
    left -= claimed.length;
  }
  return deliveries;
}

/** The next try is set before this one is made: a process that dies in between costs one wait. */
async function claim(options: DeliveryOptions, size: number, only?: readonly string[]): Promise<Claimed[]> {
  const { rows } = await options.pool.query<Claimed>(
    `UPDATE demo_provider.notice SET tries = tries + 1,
       next_attempt_at = ops.clock_now() + make_interval(secs => least($3, $4 * 2 ^ least(tries, 20)) * (0.5 + random()))
     WHERE event_id IN (SELECT event_id FROM demo_provider.notice
       WHERE delivered_at IS NULL AND next_attempt_at <= ops.clock_now() AND ($2::text[] IS NULL OR event_id = ANY($2))
       ORDER BY next_attempt_at, event_id LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING event_id AS "eventId", body, tries`,
    [size, only ?? null, MAX_WAIT_SECONDS, (options.firstWaitMs ?? 1000) / 1000],
  );
  return rows.toSorted((a, b) => a.eventId.localeCompare(b.eventId));
}

async function tryToDeliver(options: DeliveryOptions, { eventId, body, tries }: Claimed): Promise<NoticeDelivery> {
  const delivered = await post(options, Buffer.from(body));
  if (delivered) await markDelivered(options.pool, eventId);
  return { eventId, tries, delivered };
}

async function markDelivered(sql: Sql, eventId: string): Promise<void> {
  await sql.query(
    'UPDATE demo_provider.notice SET delivered_at = ops.clock_now() WHERE event_id = $1 AND delivered_at IS NULL',
    [eventId],
  );
}

/** Signed anew for each try, so that a late one is not too old. No answer counts as not delivered. */
async function post(options: DeliveryOptions, body: Buffer): Promise<boolean> {
  const signature = signNotice(body, [options.webhookSecret], Math.floor(Date.now() / 1000));
  try {
    const response = await fetch(options.webhookUrl, {
      method: 'POST',
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(TRY_LIMIT_MS),
      headers: { 'content-type': 'application/json', [options.signatureHeader]: signature },
    });
    await response.body?.cancel();
    return response.ok;
  } catch (error) {
    // A refused connection or a time-out: the next try may pass.
    if (error instanceof TypeError || error instanceof DOMException) return false;
    throw error;
  }
}
