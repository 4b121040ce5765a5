/** The demo provider's books of intents and of the money taken and paid back for them. */
import type { Sql } from '../../../platform/index.ts';
import type { ChargeSeen, IntentReading, OpenIntent } from '../provider.ts';

export interface DemoIntent {
  readonly intentRef: string;
  readonly attempt: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly expiresAt: Date;
}

/** A later attempt and a later deadline are taken over; amount and currency stay as they were opened. */
export async function keepIntent(sql: Sql, intent: OpenIntent): Promise<'kept' | 'differs'> {
  const { rows } = await sql.query<{ same: boolean }>(
    `INSERT INTO demo_provider.intent AS i (intent_ref, attempt, amount_minor, currency, expires_at)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (intent_ref) DO UPDATE
       SET attempt = greatest(i.attempt, excluded.attempt), expires_at = greatest(i.expires_at, excluded.expires_at)
     RETURNING amount_minor = $3 AND currency = $4 AS same`,
    [intent.intentId, intent.attempt, intent.amountMinor, intent.currency, intent.payUntil],
  );
  return rows[0]?.same ? 'kept' : 'differs';
}

export async function findIntent(sql: Sql, intentRef: string): Promise<DemoIntent | undefined> {
  const { rows } = await sql.query<DemoIntent>(
    `SELECT intent_ref AS "intentRef", attempt, amount_minor AS "amountMinor", currency, expires_at AS "expiresAt"
     FROM demo_provider.intent WHERE intent_ref = $1`,
    [intentRef],
  );
  return rows[0];
}

interface Sums {
  readonly amountMinor: number;
  readonly currency: string;
  readonly receivedMinor: number;
  readonly refundedMinor: number;
  readonly charges: ChargeSeen[];
}

export async function readDemoIntent(sql: Sql, intentRef: string): Promise<IntentReading> {
  const { rows } = await sql.query<Sums>(
    `SELECT i.amount_minor AS "amountMinor", i.currency,
       (SELECT coalesce(sum(c.amount_minor), 0)::bigint FROM demo_provider.charge c
        WHERE c.intent_ref = i.intent_ref AND c.status = 'SUCCEEDED') AS "receivedMinor",
       (SELECT coalesce(sum(r.amount_minor), 0)::bigint FROM demo_provider.refund r WHERE r.intent_ref = i.intent_ref) AS "refundedMinor",
       (SELECT coalesce(json_agg(json_build_object('chargeRef', c.charge_ref, 'attempt', c.attempt,
          'amountMinor', c.amount_minor, 'currency', c.currency, 'createdAt', c.created_at) ORDER BY c.created_at, c.charge_ref), '[]')
        FROM demo_provider.charge c WHERE c.intent_ref = i.intent_ref AND c.status = 'SUCCEEDED') AS charges
     FROM demo_provider.intent i WHERE i.intent_ref = $1`,
    [intentRef],
  );
  const found = rows[0];
  return found
    ? { kind: 'read', status: found.charges.length > 0 ? 'SUCCEEDED' : 'OPEN', ...found }
    : { kind: 'not-found' };
}
