/** The gate's own figures of the past: kept only where reconcile logged a finding, so the answer names that instant. */
import { z } from 'zod';
import type { SkuRef } from '../../gate/index.ts';
import type { Sql } from '../../platform/index.ts';
import { DRIFT_CAUSES, type DriftCause } from '../causes.ts';
import type { GateLook } from './gate-rows.ts';

const units = z.number().int();
const causes = Object.keys(DRIFT_CAUSES) as [DriftCause, ...DriftCause[]];
const finding = z.object({
  before: z.object({
    total: units,
    deducted: units,
    rows: z.array(
      z.object({
        cause: z.enum(causes),
        units,
        figure: z.enum(['deducted', 'capacity']),
        holds: units,
        sample: z.array(z.string()),
      }),
    ),
  }),
  after: z.object({ totalQuantity: units, confirmedQuantity: units, preDeducted: units }),
});

/** The last finding at or before `at`; undefined when there is none that tells enough. */
export async function readLoggedGate(
  sql: Sql,
  { shopId, skuId }: SkuRef,
  at: Date,
): Promise<{ at: Date; look: GateLook } | undefined> {
  const { rows } = await sql.query<{ at: Date; before: unknown; after: unknown }>(
    `SELECT at, before, after FROM tinystore_inventory.inventory_reconcile_log
     WHERE shop_id = $1 AND sku_id = $2 AND kind = 'FINDING' AND before ? 'deducted' AND after ? 'preDeducted' AND at <= $3
     ORDER BY id DESC LIMIT 1`,
    [shopId, skuId, at],
  );
  const [logged] = rows;
  if (!logged) return undefined;
  const { before, after } = finding.parse(logged);
  const { preDeducted, ...counters } = after;
  return {
    at: logged.at,
    look: {
      total: before.total,
      deducted: before.deducted,
      ...counters,
      preDeducted: { units: preDeducted, count: null },
      drift: before.rows,
    },
  };
}
