/**
 * Everything a rebuild installs (P10), from one snapshot: REDIS-mode SKUs and live holds by two cursors in one order, so
 * that each is read once and only a page of them is ever in memory. Asked page by page instead, the query of live
 * holds looks at every order in flight again for each page.
 */
import type { Sql } from '../../platform/index.ts';
import type { SkuRef } from '../keys.ts';
import type { LiveHold } from '../live-holds.ts';
import type { SkuLoad } from './install-sku.ts';

const ROWS_A_FETCH = 1000;
/** More SKUs than a gate of one server can hold. */
const MAX_FETCHES = 100_000;

/** `db` is in the snapshot's transaction; its bigint columns come as numbers. */
export async function* readLoads(db: Sql): AsyncGenerator<readonly SkuLoad[]> {
  // A cursor is planned for its first rows; these are read to the end. Compiling the plans takes longer than they do.
  await db.query('SET LOCAL cursor_tuple_fraction = 1');
  await db.query('SET LOCAL jit = off');
  await db.query(
    `DECLARE skus NO SCROLL CURSOR FOR
     SELECT shop_id AS "shopId", sku_id AS "skuId", generation, total_quantity AS "totalQuantity", confirmed_quantity AS "confirmedQuantity"
     FROM tinystore_inventory.inventory_stock WHERE gate_mode = 'REDIS' ORDER BY shop_id, sku_id`,
  );
  await db.query(
    `DECLARE holds NO SCROLL CURSOR FOR
     SELECT shop_id AS "shopId", sku_id AS "skuId", reservation_id AS "reservationId", h.quantity,
            floor(extract(epoch FROM held_at) * 1000)::bigint AS "heldAtMs"
     FROM tinystore_inventory.live_holds(NULL, NULL) h JOIN tinystore_inventory.inventory_stock USING (shop_id, sku_id)
     WHERE gate_mode = 'REDIS' ORDER BY shop_id, sku_id`,
  );
  const holds = createHoldReader(db);
  for (let fetch = 0; fetch < MAX_FETCHES; fetch++) {
    const { rows } = await db.query<Omit<SkuLoad, 'holds'>>(`FETCH ${ROWS_A_FETCH} FROM skus`);
    if (rows.length === 0) {
      const left = await holds.next();
      // Its SKU was not met in the same order: the gate would open with too little held.
      if (left) throw new Error(`a live hold of ${nameOf(left)} has no place in the snapshot`);
      return;
    }
    const loads: SkuLoad[] = [];
    for (const row of rows) loads.push({ ...row, holds: await holds.of(row) });
    yield loads;
  }
  throw new Error(`more than ${MAX_FETCHES * ROWS_A_FETCH} SKUs`);
}

type LoadedHold = Pick<LiveHold, 'shopId' | 'skuId' | 'reservationId' | 'quantity' | 'heldAtMs'>;

/** Walks along the cursor of holds beside that of SKUs. */
function createHoldReader(db: Sql) {
  let page: readonly LoadedHold[] = [];
  let at = 0;
  let ended = false;
  const next = async () => {
    if (at === page.length && !ended) {
      ({ rows: page } = await db.query<LoadedHold>(`FETCH ${ROWS_A_FETCH} FROM holds`));
      at = 0;
      ended = page.length === 0;
    }
    return page[at];
  };
  return {
    next,
    async of(sku: SkuRef): Promise<LoadedHold[]> {
      const found: LoadedHold[] = [];
      for (let hold = await next(); hold && nameOf(hold) === nameOf(sku); hold = await next()) {
        found.push(hold);
        at++;
      }
      return found;
    },
  };
}

const nameOf = (of: SkuRef) => `${of.shopId}/${of.skuId}`;
