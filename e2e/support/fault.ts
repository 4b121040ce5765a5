/** A fault of the ledger as a lever of browser flows: the database refuses to record holds of one SKU. */
import { createPool } from '@holdfast/core/platform';

export async function whileLedgerRefuses(skuId: string, look: (mend: () => Promise<void>) => Promise<void>) {
  const { DATABASE_URL: url } = process.env;
  if (!url) throw new Error('DATABASE_URL names the database of the product under test');
  if (!/^[A-Z0-9-]+$/.test(skuId)) throw new Error(`${skuId} is no SKU of the seed`);
  const pool = createPool({ url, name: 'holdfast-e2e-fault', max: 1 });
  const mend = async () => {
    await pool.query('DROP TRIGGER IF EXISTS planted ON tinystore_inventory.inventory_reservation');
    await pool.query('DROP FUNCTION IF EXISTS public.planted()');
  };
  try {
    await mend();
    await pool.query(
      `CREATE FUNCTION public.planted() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'planted by a browser flow' USING ERRCODE = '22012'; END $$`,
    );
    await pool.query(
      `CREATE TRIGGER planted BEFORE INSERT ON tinystore_inventory.inventory_reservation
       FOR EACH ROW WHEN (NEW.sku_id = '${skuId}') EXECUTE FUNCTION public.planted()`,
    );
    await look(mend);
  } finally {
    await mend();
    await pool.end();
  }
}
