/** What must be true at every moment of a history, not only at its end. */
import type { Sql } from '../../platform/index.ts';
import type { History } from './history.ts';

interface Glance {
  readonly sku: string;
  readonly total: string;
  readonly reserved: string;
  readonly confirmed: string;
  readonly recorded: string;
  readonly promised: string;
}
/** P1, P2: whatever is promised by a row or by a committed order not recorded yet has its units. */
const PROMISES = `
  SELECT concat(s.shop_id, '/', s.sku_id) AS sku, s.total_quantity AS total, s.reserved_quantity AS reserved,
    s.confirmed_quantity AS confirmed,
    coalesce((SELECT sum(r.quantity) FROM tinystore_inventory.inventory_reservation r
              WHERE r.shop_id = s.shop_id AND r.sku_id = s.sku_id AND r.status = 'PRE_DEDUCTED'), 0) AS recorded,
    coalesce((SELECT sum(h.quantity) FROM tinystore_order.order_line_hold h
              WHERE h.shop_id = s.shop_id AND h.sku_id = s.sku_id AND h.state = 'CURRENT'
                AND NOT EXISTS (SELECT FROM tinystore_inventory.inventory_reservation r WHERE r.reservation_id = h.reservation_id)), 0) AS promised
  FROM tinystore_inventory.inventory_stock s`;
const FINAL = `
  SELECT reservation_id AS id, status FROM tinystore_inventory.inventory_reservation
  WHERE status <> 'PRE_DEDUCTED'`;

export interface Watch {
  look(): Promise<string[]>;
}

export function watchPromises({ stores, ...history }: History, isExcused: () => boolean): Watch {
  const final = new Map<string, string>();
  return {
    async look() {
      const found = (await readGlances(stores.look)).flatMap((glance) => judge(glance, isExcused()));
      const { rows } = await stores.look.query<{ id: string; status: string }>(FINAL);
      for (const { id, status } of rows) {
        const before = final.get(id) ?? status;
        if (before !== status) found.push(`final row ${id} moved from ${before} to ${status}`);
        final.set(id, status);
      }
      if (rows.length < final.size) found.push('a final row has vanished');
      for (const what of found) history.broken.push(what);
      return found;
    },
  };
}

async function readGlances(sql: Sql): Promise<Glance[]> {
  return (await sql.query<Glance>(PROMISES)).rows;
}

function judge(glance: Glance, excused: boolean): string[] {
  const { sku, total, reserved, recorded, promised } = glance;
  const found: string[] = [];
  if (Number(reserved) !== Number(recorded)) found.push(`${sku}: reserved ${reserved}, rows ${recorded}`);
  if (!excused && Number(recorded) + Number(promised) > Number(total))
    found.push(`${sku}: over-promised: ${recorded} recorded and ${promised} placed of ${total}`);
  return found;
}
