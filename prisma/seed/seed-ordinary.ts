/** Ordinary goods of the demo leave the gate, as an operator would take them off it; a second seed finds it done. */
import { isRefused } from '@holdfast/core/domain';
import { switchGateMode } from '@holdfast/core/ledger';
import type { Pool } from '@holdfast/core/platform';
import { SHOPS } from './catalogue.ts';

const MODE_KEPT = `SELECT 1 FROM ops.audit_log WHERE action = 'gate.switch-mode' AND target = $1 LIMIT 1`;

export async function seedOrdinary(pool: Pool): Promise<void> {
  const waker = { wake: () => undefined };
  for (const { id: shopId, products } of SHOPS)
    for (const { id: skuId } of products.flatMap(({ skus }) => skus.filter((sku) => sku.ordinary))) {
      // Whoever has switched it since has decided.
      const { rowCount } = await pool.query(MODE_KEPT, [`${shopId}/${skuId}`]);
      if (rowCount !== 0) continue;
      const command = { shopId, skuId, to: 'DATABASE', actor: 'seed', reason: 'ordinary goods of the demo' } as const;
      const outcome = await switchGateMode({ pool, waker }, command);
      if (isRefused(outcome)) throw new Error(`${shopId}/${skuId}: ${outcome.message}`);
    }
}
