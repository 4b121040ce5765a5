/** What operators and packers do: units in and out, another mode, the SKU or the whole gate loaded anew, parcels. */
import { mint } from '../../../domain/index.ts';
import { receiveStock, switchGateMode } from '../../../ledger/index.ts';
import { receiveOrder, shipOrder } from '../../../order/index.ts';
import { reinstallSku } from '../../../reconcile/index.ts';
import { recountStock, writeOff } from '../../../stock/index.ts';
import type { Command } from '../command.ts';
import { freeMember, type History, perform } from '../history.ts';
import type { Member } from '../members.ts';
import { part, pick, type Tape } from '../tape.ts';
import type { WorldSku } from '../world.ts';

/** Of one SKU by one process. */
const onSku =
  (
    name: string,
    work: (member: Member, sku: WorldSku, tape: Tape, history: History) => Promise<unknown>,
  ): Command['run'] =>
  async (history, tape) => {
    const sku = pick(history.world.skus, tape.how);
    if (!sku) return;
    const member = freeMember(history, tape.who);
    const label = `${name} ${sku.shopId}/${sku.skuId}`;
    await perform(history, { label, member, work: () => work(member, sku, tape, history) }, tape);
  };

export const STOCK: readonly Command[] = [
  { name: 'receive-stock', weight: 3, kind: 'stock', run: onSku('receive-stock', receive) },
  { name: 'write-off', weight: 3, kind: 'stock', run: onSku('write-off', takeOut) },
  { name: 'recount', weight: 2, kind: 'stock', run: onSku('recount', recount) },
  { name: 'switch-mode', weight: 4, kind: 'switch', run: onSku('switch-mode', switchMode) },
  { name: 'reinstall', weight: 2, run: onSku('reinstall', reinstall) },
  { name: 'ship', weight: 2, run: ship },
  { name: 'receive-parcel', weight: 2, run: receiveParcel },
];

function receive({ desk }: Member, { shopId, skuId }: WorldSku, { how }: Tape) {
  const receipt = { shopId, skuId, quantity: 1 + part(how, 2, 2), operationId: mint(), actor: 'ada' };
  return receiveStock(desk.pool, receipt);
}

const stockDeps = ({ desk }: Member) => ({ ...desk, limitMs: 1000 });

async function takeOut(member: Member, { shopId, skuId }: WorldSku, { how }: Tape, history: History) {
  const wanted = { shopId, skuId, quantity: 1 + part(how, 2, 2), operationId: mint(), actor: 'ada', reason: 'history' };
  const result = await writeOff(stockDeps(member), wanted);
  history.count(`write-off ${result.kind}`);
  return result;
}

async function recount(member: Member, { shopId, skuId }: WorldSku, { how }: Tape, { stores }: History) {
  const { rows } = await stores.look.query<{ total: string; version: string }>(
    'SELECT total_quantity AS total, version FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2',
    [shopId, skuId],
  );
  const counted = Math.max(0, Number(rows[0]?.total ?? 0) + part(how, 2, 3) - 1);
  const expectedVersion = Number(rows[0]?.version ?? 0);
  const wanted = { shopId, skuId, counted, expectedVersion, operationId: mint(), actor: 'ada', reason: 'history' };
  return recountStock(stockDeps(member), wanted);
}

function switchMode({ desk }: Member, { shopId, skuId }: WorldSku, { how }: Tape) {
  const to = part(how, 2, 2) ? 'REDIS' : 'DATABASE';
  return switchGateMode(desk, { shopId, skuId, to, actor: 'ada', reason: 'history' });
}

async function reinstall({ desk }: Member, { shopId, skuId }: WorldSku, _: Tape, { stores }: History) {
  const { rows } = await stores.look.query<{ generation: string }>(
    'SELECT generation FROM tinystore_inventory.inventory_stock WHERE shop_id = $1 AND sku_id = $2',
    [shopId, skuId],
  );
  const generation = Number(rows[0]?.generation ?? 0);
  return reinstallSku(desk.pool, { shopId, skuId, generation, actor: 'ada', cause: 'history' });
}

interface Parcel {
  readonly id: string;
  readonly buyerId: string;
}
async function findParcel({ stores }: History, status: string, choice: number): Promise<Parcel | undefined> {
  const { rows } = await stores.look.query<Parcel>(
    `SELECT so.id, t.buyer_id AS "buyerId" FROM tinystore_order.shop_order so JOIN tinystore_order.trade t ON t.id = so.trade_id
     WHERE so.status = $1 ORDER BY so.id`,
    [status],
  );
  return pick(rows, choice);
}

async function ship(history: History, tape: Tape): Promise<void> {
  const parcel = await findParcel(history, 'CONFIRMED', tape.how);
  if (!parcel) return;
  const member = freeMember(history, tape.who);
  const work = () => shipOrder(member.desk, { shopOrderId: parcel.id, by: { name: 'ada' } });
  await perform(history, { label: `ship ${parcel.id.slice(-6)}`, member, work }, tape);
}

async function receiveParcel(history: History, tape: Tape): Promise<void> {
  const parcel = await findParcel(history, 'SHIPPED', tape.how);
  if (!parcel) return;
  const member = freeMember(history, tape.who);
  const work = () => receiveOrder(member.desk, { shopOrderId: parcel.id, buyerId: parcel.buyerId });
  await perform(history, { label: `receive-parcel ${parcel.id.slice(-6)}`, member, work }, tape);
}
