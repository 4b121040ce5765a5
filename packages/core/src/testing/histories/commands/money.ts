/**
 * Payments: started at the shop, paid at the provider's page, told of by notices that come once, twice, late or never
 * (then the comparison with the provider finds the money).
 */

import { type RefundOrder, receiveNotice, refundOrder, startPayment } from '../../../order/index.ts';
import { storeCharge } from '../../../order/payment/demo/charges.ts';
import { findIntent } from '../../../order/payment/demo/intents.ts';
import { signNotice } from '../../../order/payment/notice-signature.ts';
import { inTransaction, type Sql } from '../../../platform/index.ts';
import type { Command } from '../command.ts';
import { freeMember, type History, note, perform } from '../history.ts';
import { SECRET } from '../members.ts';
import { part, pick, type Tape } from '../tape.ts';
import { placedOrder } from './buyers.ts';

export const MONEY: readonly Command[] = [
  { name: 'start-payment', weight: 12, run: start },
  { name: 'pay', weight: 3, run: pay },
  { name: 'notice', weight: 12, run: deliverNotice },
  { name: 'refund', weight: 3, run: refund },
];

/** Most buyers go on to the provider's page and pay there. */
async function start(history: History, tape: Tape): Promise<void> {
  const order = placedOrder(history, tape.how);
  if (!order) return;
  const member = freeMember(history, tape.who);
  const work = async () => {
    const command = { tradeId: order.tradeId, buyerId: order.command.buyerId };
    const started = await startPayment({ ...member.desk, provider: member.provider }, command);
    if (started.kind === 'started' && part(tape.who, 3, 4) < 3) await act(history, started.intentId, 'pay');
    return started.kind === 'started' ? 'started' : started.code;
  };
  await perform(history, { label: `start-payment ${order.tradeId.slice(-6)}`, member, work }, tape);
}

const ACTS = ['pay', 'pay', 'pay', 'decline', 'pay-wrong-amount', 'pay-twice'] as const;
type Act = (typeof ACTS)[number];

async function pay(history: History, { how }: Tape): Promise<void> {
  const { rows } = await history.stores.look.query<{ ref: string }>(
    'SELECT intent_ref AS ref FROM demo_provider.intent ORDER BY 1',
  );
  const ref = pick(rows, how)?.ref;
  if (ref) await act(history, ref, ACTS[part(how, 1, ACTS.length)] ?? 'pay');
}

/** At the provider, whose own books stand outside of what may crash here. */
async function act(history: History, ref: string, what: Act): Promise<void> {
  const { pool } = history.stores;
  const intent = await findIntent(pool, ref);
  if (!intent) return;
  const amountMinor = intent.amountMinor + (what === 'pay-wrong-amount' ? 1 : 0);
  await inTransaction(pool, async (tx) => {
    for (let times = what === 'pay-twice' ? 2 : 1; times > 0; times--)
      await storeCharge(tx, intent, { status: what === 'decline' ? 'FAILED' : 'SUCCEEDED', amountMinor });
  });
  history.count(what);
  note(history, `${what} ${ref.slice(-6)}`);
}

interface Notice {
  readonly eventId: string;
  readonly body: string;
}

async function deliverNotice(history: History, tape: Tape): Promise<void> {
  const again = part(tape.how, 2, 5) === 4;
  const { rows } = await history.stores.look.query<Notice>(
    `SELECT event_id AS "eventId", body FROM demo_provider.notice WHERE $1 OR delivered_at IS NULL ORDER BY event_id`,
    [again],
  );
  const notice = pick(rows, tape.how);
  if (!notice) return;
  const member = freeMember(history, tape.who);
  await perform(
    history,
    { label: `notice ${notice.eventId.slice(-6)}`, member, work: () => tell(history, member, notice) },
    tape,
  );
}

type Told = Pick<ReturnType<typeof freeMember>, 'desk' | 'provider'>;

export async function tell(history: History, { desk, provider }: Told, { eventId, body }: Notice): Promise<unknown> {
  const rawBody = Buffer.from(body);
  const signature = signNotice(rawBody, [SECRET], Math.floor(Date.now() / 1000));
  const receipt = await receiveNotice({ ...desk, provider, webhookSecrets: [SECRET] }, { rawBody, signature });
  if (receipt.kind === 'stored') await markDelivered(history.stores.pool, eventId);
  history.count(receipt.kind === 'stored' ? `notice ${receipt.verdict ?? 'not judged'}` : `notice ${receipt.kind}`);
  return receipt;
}

async function markDelivered(sql: Sql, eventId: string): Promise<void> {
  await sql.query(`UPDATE demo_provider.notice SET delivered_at = now() WHERE event_id = $1`, [eventId]);
}

async function refund(history: History, tape: Tape): Promise<void> {
  const { rows } = await history.stores.look.query<{
    tradeId: string;
    shopOrderId: string;
    skuId: string;
    quantity: number;
  }>(
    `SELECT t.id AS "tradeId", so.id AS "shopOrderId", l.sku_id AS "skuId", l.quantity
     FROM tinystore_order.trade t JOIN tinystore_order.shop_order so ON so.trade_id = t.id
     JOIN tinystore_order.order_line l ON l.shop_order_id = so.id
     WHERE t.status IN ('PAID', 'SHIPPED', 'RECEIVED') ORDER BY so.id, l.sku_id`,
  );
  const line = pick(rows, tape.how);
  if (!line) return;
  const member = freeMember(history, tape.who);
  await perform(
    history,
    { label: `refund ${line.tradeId.slice(-6)}`, member, work: () => refundOrder(member.desk, wish(line, tape)) },
    tape,
  );
}

function wish(line: { tradeId: string; shopOrderId: string; skuId: string }, { how }: Tape): RefundOrder {
  const units = (['RESTOCK', 'NO_RESTOCK', 'DAMAGED'] as const)[part(how, 2, 3)] ?? 'RESTOCK';
  return {
    tradeId: line.tradeId,
    idempotencyKey: `history-${part(how, 3, 3)}-${line.shopOrderId}`,
    by: { name: 'ada', reason: 'history' },
    wish:
      part(how, 1, 2) === 0
        ? { kind: 'rest', units }
        : { kind: 'lines', lines: [{ shopOrderId: line.shopOrderId, skuId: line.skuId, quantity: 1, units }] },
  };
}
