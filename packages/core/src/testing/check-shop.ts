/** Lets everything under way in a test shop end, and says which invariants are broken then: the end of a scenario. */
import { deliverEvents } from './deliver-events.ts';
import { checkInvariants, type Violation } from './invariants.ts';
import type { TestShop } from './test-shop.ts';
import { until } from './until.ts';

export async function checkShop(shop: TestShop): Promise<Violation[]> {
  await deliverEvents(shop.pool);
  await until('the gate answers and every effect is applied', async () => {
    await shop.gatekeeper.runOnce();
    return (await answers(shop)) && (await countPending(shop)) === 0;
  });
  return checkInvariants({ pool: shop.pool, gate: shop.gate });
}

/** An open gate says of a SKU that nobody sells that it has none. */
async function answers({ gate }: TestShop): Promise<boolean> {
  const [reading] = await gate.read([{ shopId: 'nobody', skuId: 'nothing' }]);
  return reading?.kind === 'unknown' && reading.why === 'NOT_LOADED';
}

async function countPending({ pool }: TestShop): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*) AS n FROM tinystore_inventory.gate_effect WHERE status = 'PENDING'`,
  );
  return rows[0]?.n ?? 0;
}
