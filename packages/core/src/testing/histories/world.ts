/** The small world of one history: few units of few SKUs, so that everybody meets everybody. */

import { mint } from '../../domain/index.ts';
import { receiveStock } from '../../ledger/index.ts';
import type { Sql } from '../../platform/index.ts';
import { TEST_PRICE_MINOR } from '../put-on-sale.ts';
import type { LaneStores } from './lane-stores.ts';

export interface WorldSku {
  readonly shopId: string;
  readonly skuId: string;
  readonly units: number;
  readonly mode: 'REDIS' | 'DATABASE';
}
export interface World {
  readonly skus: readonly WorldSku[];
  readonly buyers: readonly string[];
  readonly coupon: boolean;
  /** Deeds in a hundred that meet a mishap. */
  readonly trouble: number;
  /** Commands of the kind are left out. */
  readonly calm: readonly string[];
  /** These come three times as often. */
  readonly busy: readonly string[];
  readonly relayBatch: number;
}

export const WORLD_NUMBERS = 16;

/** What meets seldom by chance alone meets often in the histories about it. */
const THEMES: readonly (readonly string[])[] = [
  [],
  ['place', 'go-on', 'gatekeeper', 'rebuild', 'restart-redis', 'late-call'],
  ['place', 'start-payment', 'notice', 'consume', 'relay', 'go-on'],
  ['start-payment', 'notice', 'time', 'payment.late-money', 'reservation.expire', 'consume', 'relay', 'cancel'],
  [
    'place',
    'write-off',
    'switch-mode',
    'reinstall',
    'gatekeeper',
    'gate.finish-switch',
    'go-on',
    'inventory.reconcile',
  ],
  ['place', 'place-again', 'time', 'gate.sweep-ghost-holds', 'late-call', 'go-on', 'inventory.reconcile'],
];

export function planWorld(numbers: readonly number[]): World {
  const at = (index: number, of: number) => (numbers[index] ?? 0) % of;
  const skus = Array.from(
    { length: 1 + at(0, 3) },
    (_, index): WorldSku => ({
      shopId: at(1, 2) === 1 && index > 0 ? 'S2' : 'S1',
      skuId: `K${index + 1}`,
      units: 1 + at(2 + index, 3),
      mode: at(5 + index, 4) === 3 ? 'DATABASE' : 'REDIS',
    }),
  );
  return {
    skus,
    buyers: Array.from({ length: 2 + at(8, 5) }, () => mint<'BuyerId'>()),
    coupon: at(9, 4) === 3,
    trouble: [0, 10, 25, 50][at(10, 4)] ?? 0,
    calm: [['redis', 'switch'], [], ['redis'], ['switch', 'stock']][at(11, 4)] ?? [],
    busy: THEMES[at(13, THEMES.length)] ?? [],
    relayBatch: 1 + at(12, 4),
  };
}

export async function makeWorld({ pool }: LaneStores, world: World): Promise<void> {
  await putOnShelves(pool, world);
  for (const { shopId, skuId, units, mode } of world.skus) {
    await receiveStock(pool, { shopId, skuId, quantity: units, operationId: mint(), actor: 'history' });
    if (mode === 'DATABASE')
      await pool.query(
        `UPDATE tinystore_inventory.inventory_stock SET gate_mode = 'DATABASE' WHERE shop_id = $1 AND sku_id = $2`,
        [shopId, skuId],
      );
  }
}

async function putOnShelves(sql: Sql, { skus, coupon }: World): Promise<void> {
  const columns = [skus.map(({ shopId }) => shopId), skus.map(({ skuId }) => skuId)];
  await sql.query(
    `INSERT INTO tinystore_order.shop (id, name, currency) SELECT DISTINCT u, u, 'EUR' FROM unnest($1::text[]) u`,
    [columns[0]],
  );
  await sql.query(
    `INSERT INTO tinystore_order.product (id, shop_id, name, description, art)
     SELECT s || '.' || k, s, k, 'test', 'tee' FROM unnest($1::text[], $2::text[]) AS u(s, k)`,
    columns,
  );
  await sql.query(
    `INSERT INTO tinystore_order.sku (shop_id, id, product_id, name, price_minor)
     SELECT s, k, s || '.' || k, 'one', ${TEST_PRICE_MINOR} FROM unnest($1::text[], $2::text[]) AS u(s, k)`,
    columns,
  );
  if (coupon)
    await sql.query(
      `INSERT INTO tinystore_order.coupon (code, kind, value, currency, usage_limit, valid_from, valid_until)
       VALUES ('FEW', 'FIXED', 100, 'EUR', 2, ops.clock_now() - interval '1 minute', ops.clock_now() + interval '1 day')`,
    );
}
